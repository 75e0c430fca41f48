package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Stores the recorded steps of handlers: {@code tenant / STEP / task, step key → record}. */
public final class StepStore {
  private final KeyLayout layout;
  private final LargeValue values;

  public StepStore(KeyLayout layout) {
    this.layout = layout;
    this.values = new LargeValue(layout);
  }

  /** Returns a recorded step. */
  public Optional<byte[]> find(ReadTransaction tr, String tenant, String task, String stepKey) {
    return values.get(tr, layout.key(key(tenant, task).add(stepKey)));
  }

  /** Stores a step that this transaction did not find. */
  public void insert(Transaction tr, String tenant, String task, String stepKey, byte[] record) {
    values.set(tr, layout.key(key(tenant, task).add(stepKey)), record, 0);
  }

  /** Stores or replaces a step. */
  public void record(Transaction tr, String tenant, String task, String stepKey, byte[] record) {
    byte[] key = layout.key(key(tenant, task).add(stepKey));
    int before = tr.get(key).map(LargeValue::furtherChunks).orElse(0);
    values.set(tr, key, record, before);
  }

  /**
   * A page of a task's records.
   *
   * @param records the records, in the order of their keys
   * @param more whether more follow
   */
  public record Page(List<byte[]> records, boolean more) {
    /** Copies the records. */
    public Page {
      records = List.copyOf(records);
    }
  }

  /**
   * Returns up to {@code limit} records in the order of their keys, after {@code afterKey}; empty:
   * from the first on. It ends early once they have {@code maxBytes}.
   */
  public Page list(
      ReadTransaction tr, String tenant, String task, String afterKey, int limit, long maxBytes) {
    ByteBudget budget = new ByteBudget(maxBytes);
    Tuple parent = key(tenant, task);
    KeyRange range =
        afterKey.isEmpty()
            ? layout.children(parent)
            : layout.childrenAfter(parent, parent.add(afterKey));
    List<byte[]> records = new ArrayList<>();
    boolean more = true;
    while (more) {
      int wanted = budget.next(limit + 1 - records.size());
      List<KeyValue> rows = tr.getRange(range, wanted);
      for (KeyValue row : rows) {
        Tuple key = layout.unpack(row.key());
        if (key.size() == parent.size() + 1) {
          if (budget.isSpent() || records.size() == limit) {
            return new Page(records, true);
          }
          byte[] record = values.join(tr, row.key(), row.value());
          records.add(record);
          budget.take(record.length);
        }
      }
      more = rows.size() == wanted;
      if (more) {
        range = new KeyRange(KeyRange.after(rows.get(wanted - 1).key()), range.end());
      }
    }
    return new Page(records, false);
  }

  private Tuple key(String tenant, String task) {
    return layout.tenant(tenant, TenantSpace.STEP).add(task);
  }
}
