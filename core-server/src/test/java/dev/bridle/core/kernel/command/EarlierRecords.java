package dev.bridle.core.kernel.command;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Idempotency records as earlier releases stored them: by scope alone, with a due entry each. */
public final class EarlierRecords {
  private static final int MAX_ROWS = 10_000;

  private final Rows rows = new Rows(KeyLayout.root());
  private final DueIndex due = new DueIndex(KeyLayout.root());
  private final String tenant;

  private EarlierRecords(String tenant) {
    this.tenant = tenant;
  }

  /** Stores all records of a tenant as an earlier release would have, and returns how many. */
  public static int restoreAll(KeyValueStore store, String tenant) {
    return restore(store, tenant, record -> true);
  }

  /** Stores some records of a tenant as an earlier release would have, and returns how many. */
  public static int restore(KeyValueStore store, String tenant, Predicate<CommandRecord> which) {
    EarlierRecords earlier = new EarlierRecords(tenant);
    return store.transact(tr -> earlier.restore(tr, which));
  }

  private int restore(Transaction tr, Predicate<CommandRecord> which) {
    List<KeyValue> all = tr.getRange(rows.below(tenant, TenantSpace.KEYED_COMMAND), MAX_ROWS);
    Set<String> scopes = new HashSet<>();
    for (KeyValue row : all) {
      RowKey key = rows.parse(row.key()).orElseThrow();
      if (key.items().size() == 3) {
        CommandRecord record = parse(rows.whole(tr, row.key(), row.value()).orElseThrow());
        if (which.test(record)) {
          String scope = key.text(1);
          scopes.add(scope);
          due.schedule(tr, new DueEntry(record.getExpiresAt(), DueKind.IDEMPOTENCY, tenant, scope));
        }
      }
    }
    for (KeyValue row : all) {
      RowKey key = rows.parse(row.key()).orElseThrow();
      if (scopes.contains(key.text(1))) {
        List<Object> items = key.items().subList(1, key.items().size());
        tr.set(rows.key(tenant, TenantSpace.IDEMPOTENCY, items.toArray()), row.value());
        tr.clear(row.key());
      }
    }
    return scopes.size();
  }

  private static CommandRecord parse(byte[] bytes) {
    try {
      return CommandRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }
}
