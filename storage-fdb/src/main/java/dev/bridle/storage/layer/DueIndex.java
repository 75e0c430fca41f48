package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.List;

/**
 * The index of due work: {@code DUE / shard, due millis, kind, tenant, id → nothing}. Ordered by
 * wall time, which decides nothing else, since clocks of processes differ.
 */
public final class DueIndex {
  /** Shards of the index; sweepers take them in turn. */
  public static final int SHARDS = 4;

  private static final byte[] NOTHING = {};
  private static final int TENANT = 5;

  private final KeyLayout layout;

  public DueIndex(KeyLayout layout) {
    this.layout = layout;
  }

  /** Adds an entry. */
  public void schedule(Transaction tr, DueEntry entry) {
    tr.set(key(entry), NOTHING);
  }

  /** Removes an entry. */
  public void cancel(Transaction tr, DueEntry entry) {
    tr.clear(key(entry));
  }

  /** Returns whether an entry exists. */
  public boolean contains(ReadTransaction tr, DueEntry entry) {
    return tr.get(key(entry)).isPresent();
  }

  /** Returns the shard of the entries of an id. */
  public static int shardOf(String id) {
    return Math.floorMod(id.hashCode(), SHARDS);
  }

  /**
   * Returns up to {@code limit} entries of a shard after {@code last} that are due at {@code
   * nowMillis}, earliest first.
   *
   * @param last the entry after which they come; empty: the first ones
   */
  public List<DueEntry> due(
      ReadTransaction tr, int shard, List<DueEntry> last, long nowMillis, int limit) {
    Tuple parent = layout.system(SystemSpace.DUE).add(shard);
    byte[] begin =
        last.isEmpty() ? layout.children(parent).begin() : KeyRange.after(key(last.get(0)));
    return entries(tr, new KeyRange(begin, layout.key(parent.add(nowMillis + 1))), limit);
  }

  /** Returns up to {@code limit} entries of a shard after {@code last}, due or not. */
  public List<DueEntry> scan(ReadTransaction tr, int shard, List<DueEntry> last, int limit) {
    KeyRange all = layout.children(layout.system(SystemSpace.DUE).add(shard));
    KeyRange range =
        last.isEmpty() ? all : new KeyRange(KeyRange.after(key(last.get(0))), all.end());
    return entries(tr, range, limit);
  }

  /** Returns the range of the entries of all tenants. */
  KeyRange range() {
    return layout.children(layout.system(SystemSpace.DUE));
  }

  /** Parses the tenant of an entry, whatever the rest of its key holds. */
  String parseTenant(byte[] key) {
    return layout.unpack(key).getString(TENANT);
  }

  private List<DueEntry> entries(ReadTransaction tr, KeyRange range, int limit) {
    return tr.getRange(range, limit).stream()
        .map(
            row -> {
              Tuple key = layout.unpack(row.key());
              return new DueEntry(
                  key.getLong(3),
                  DueKind.of((int) key.getLong(4)),
                  key.getString(TENANT),
                  key.getString(6));
            })
        .toList();
  }

  private byte[] key(DueEntry entry) {
    int shard = shardOf(entry.id());
    return layout.key(
        layout
            .system(SystemSpace.DUE)
            .add(shard)
            .add(entry.dueMillis())
            .add(entry.kind().number())
            .add(entry.tenant())
            .add(entry.id()));
  }
}
