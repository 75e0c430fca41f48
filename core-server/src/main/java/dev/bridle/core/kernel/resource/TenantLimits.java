package dev.bridle.core.kernel.resource;

import com.google.protobuf.MessageLite;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Limits per tenant on resources, so that no tenant starves others or fills the storage.
 *
 * @param connectors how many connectors
 * @param schedules how many schedules
 * @param webhooks how many webhooks, at most {@link #MOST_WEBHOOKS}: each is evaluated for each
 *     event
 * @param eventStreams how many event streams may be open in one process
 * @param workspaces how many workspaces callers may create; those of an operator's folders and of
 *     imports count, and are not refused
 * @param personas how many personas
 * @param vaults how many vaults
 */
public record TenantLimits(
    int connectors,
    int schedules,
    int webhooks,
    int eventStreams,
    int workspaces,
    int personas,
    int vaults) {
  /** The defaults. */
  public static final TenantLimits DEFAULT =
      new TenantLimits(1000, 1000, 100, 2000, 1000, 1000, 1000);

  /** How many webhooks a tenant may be allowed. */
  public static final int MOST_WEBHOOKS = 10_000;

  private static final int PAGE = 1000;

  /** How far below a limit rows are read with a conflict, so that concurrent creations keep it. */
  private static final int MARGIN = 64;

  /** Checks that each is 1 or more. */
  public TenantLimits {
    check("max connectors", connectors, Integer.MAX_VALUE);
    check("max schedules", schedules, Integer.MAX_VALUE);
    check("max webhooks", webhooks, MOST_WEBHOOKS);
    check("max event streams", eventStreams, Integer.MAX_VALUE);
    check("max workspaces", workspaces, Integer.MAX_VALUE);
    check("max personas", personas, Integer.MAX_VALUE);
    check("max vaults", vaults, Integer.MAX_VALUE);
  }

  private static void check(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          name
              + " is "
              + value
              + ", expected 1 "
              + (most == Integer.MAX_VALUE ? "or more" : "to " + most));
    }
  }

  /**
   * Checks that a tenant may create one more resource of a kind, whose resources are never deleted;
   * {@code policy_violation} otherwise. Only index rows are read, by snapshot, so that creations
   * conflict near the limit alone.
   *
   * @param most the limit
   */
  public static void needRoom(Write write, RecordStore<?> records, RecordDef<?> kind, int most) {
    String tenant = write.tenant();
    if (rows(write.tr().snapshot(), tenant, records, most) >= most - MARGIN
        && rows(write.tr(), tenant, records, most) >= most) {
      throw full(kind, most, "ask the operator to raise the limit.");
    }
  }

  /** Counts the rows of the index of all records, up to a number. */
  private static int rows(ReadTransaction tr, String tenant, RecordStore<?> records, int most) {
    int found = 0;
    Optional<byte[]> after = Optional.empty();
    while (found < most) {
      int limit = Math.min(PAGE, most - found);
      List<IndexRow> rows = records.page(tr, tenant, RecordDef.ALL, "", after, limit, false);
      found += rows.size();
      if (rows.size() < limit) {
        return found;
      }
      after = Optional.of(rows.get(limit - 1).position());
    }
    return found;
  }

  private static ProtocolException full(RecordDef<?> kind, int most, String remedy) {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_POLICY_VIOLATION,
            "The tenant has as many " + kind.name() + "s as it may; " + remedy)
        .with("max_" + kind.name() + "s", most);
  }

  /**
   * Checks that a tenant may create one more resource of a kind; {@code policy_violation}
   * otherwise. Index rows are read with a conflict, so that concurrent creations can't exceed the
   * limit; records are read by snapshot, so that updates don't conflict.
   *
   * @param lives whether a record is live; deleted ones stay in the index
   * @param most the limit
   */
  public static <M extends MessageLite> void needRoom(
      Write write, RecordStore<M> records, RecordDef<?> kind, Predicate<M> lives, int most) {
    long found = 0;
    Optional<byte[]> after = Optional.empty();
    List<IndexRow> rows;
    do {
      rows = records.page(write.tr(), write.tenant(), RecordDef.ALL, "", after, PAGE, false);
      AtomicLong live = new AtomicLong();
      records.each(
          write.tr().snapshot(),
          write.tenant(),
          rows.stream().map(IndexRow::id).toList(),
          record -> {
            if (lives.test(record)) {
              live.incrementAndGet();
            }
          });
      found += live.get();
      if (found >= most) {
        throw full(kind, most, "delete one, or ask the operator to raise the limit.");
      }
      if (!rows.isEmpty()) {
        after = Optional.of(rows.get(rows.size() - 1).position());
      }
    } while (rows.size() == PAGE);
  }
}
