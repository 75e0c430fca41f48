package dev.bridle.core.kernel.resource;

import com.google.protobuf.MessageLite;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Limits per tenant on resources that cause background work, so that no tenant starves others.
 *
 * @param connectors how many connectors
 * @param schedules how many schedules
 * @param webhooks how many webhooks, at most {@link #MOST_WEBHOOKS}: each is evaluated for each
 *     event
 * @param eventStreams how many event streams may be open in one process
 */
public record TenantLimits(int connectors, int schedules, int webhooks, int eventStreams) {
  /** The defaults. */
  public static final TenantLimits DEFAULT = new TenantLimits(1000, 1000, 100, 2000);

  /** How many webhooks a tenant may be allowed. */
  public static final int MOST_WEBHOOKS = 10_000;

  private static final int PAGE = 1000;

  /** Checks that each is 1 or more. */
  public TenantLimits {
    check("max connectors", connectors, Integer.MAX_VALUE);
    check("max schedules", schedules, Integer.MAX_VALUE);
    check("max webhooks", webhooks, MOST_WEBHOOKS);
    check("max event streams", eventStreams, Integer.MAX_VALUE);
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
        throw ProtocolException.of(
                ErrorCode.ERROR_CODE_POLICY_VIOLATION,
                "The tenant has as many "
                    + kind.name()
                    + "s as it may; delete one, or ask the operator to raise the limit.")
            .with("max_" + kind.name() + "s", most);
      }
      if (!rows.isEmpty()) {
        after = Optional.of(rows.get(rows.size() - 1).position());
      }
    } while (rows.size() == PAGE);
  }
}
