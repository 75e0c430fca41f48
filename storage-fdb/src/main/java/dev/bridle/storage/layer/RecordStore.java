package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Protobuf records by id, with indexes that keep them in the order of their making:
 *
 * <pre>
 * tenant / RECORD / kind, id                          → record
 * tenant / INDEX / kind, index, value, era, stamp     → id
 * </pre>
 *
 * <p>What is indexed never changes while a record lives (its workspace, its session), so an update
 * touches no index. Reads conflict as the transaction that they are given does.
 *
 * @param <M> the record
 */
public final class RecordStore<M extends MessageLite> {
  private final KeyLayout layout;
  private final RecordType<M> type;
  private final LargeValue values;

  public RecordStore(KeyLayout layout, RecordType<M> type) {
    this.layout = layout;
    this.type = type;
    this.values = new LargeValue(layout);
  }

  /** Returns a record. */
  public Optional<M> get(ReadTransaction tr, String tenant, String id) {
    return values.get(tr, key(tenant, id)).map(this::parse);
  }

  /** Starts a read of a record. */
  public CompletableFuture<Optional<M>> getAsync(ReadTransaction tr, String tenant, String id) {
    return values.getAsync(tr, key(tenant, id)).thenApply(value -> value.map(this::parse));
  }

  /**
   * Returns the records of several ids, in their order, read together. Ids without a record are
   * left out.
   */
  public List<M> getAll(ReadTransaction tr, String tenant, List<String> ids) {
    List<CompletableFuture<Optional<M>>> reads = new ArrayList<>(ids.size());
    ids.forEach(id -> reads.add(getAsync(tr, tenant, id)));
    List<M> records = new ArrayList<>(ids.size());
    reads.forEach(read -> read.join().ifPresent(records::add));
    return records;
  }

  /**
   * Records that were read at once.
   *
   * @param <M> the record
   * @param records the records
   * @param ids how many ids they come from: the first of those that were asked for
   */
  public record Some<M>(List<M> records, int ids) {
    /** Copies the records. */
    public Some {
      records = List.copyOf(records);
    }
  }

  /**
   * Returns the records of the first of several ids, in their order: about as many as have {@code
   * maxBytes}, and one at least. Ids without a record are left out.
   */
  public Some<M> getSome(ReadTransaction tr, String tenant, List<String> ids, long maxBytes) {
    ByteBudget budget = new ByteBudget(maxBytes);
    List<M> records = new ArrayList<>(ids.size());
    int at = 0;
    while (at < ids.size() && !budget.isSpent()) {
      int end = at + budget.next(ids.size() - at);
      for (M record : getAll(tr, tenant, ids.subList(at, end))) {
        records.add(record);
        budget.take(record.getSerializedSize());
      }
      at = end;
    }
    return new Some<>(records, at);
  }

  /**
   * Returns up to {@code limit} records in the order of their ids, which begin with {@code prefix}
   * and are not before {@code from}. For small records, which take one row each.
   */
  public List<M> withPrefix(
      ReadTransaction tr, String tenant, String prefix, String from, int limit) {
    byte[] begin = open(tenant, from);
    byte[] end = open(tenant, prefix);
    KeyRange range = new KeyRange(begin, join(end, new byte[] {(byte) 0xFF}));
    return tr.getRange(range, limit).stream()
        .map(row -> parse(values.join(tr, layout.unpack(row.key()), row.value())))
        .toList();
  }

  /**
   * Returns up to {@code limit} records whose ids begin with {@code prefix}, last id first. For
   * small records, which take one row each.
   *
   * @param before the id that the page ends before; empty for the first page
   */
  public List<M> lastWithPrefix(
      ReadTransaction tr, String tenant, String prefix, Optional<String> before, int limit) {
    byte[] end =
        before
            .map(id -> layout.key(key(tenant, id)))
            .orElseGet(() -> join(open(tenant, prefix), new byte[] {(byte) 0xFF}));
    return tr.getRange(new KeyRange(open(tenant, prefix), end), limit, true).stream()
        .map(row -> parse(values.join(tr, layout.unpack(row.key()), row.value())))
        .toList();
  }

  /** Returns the key of an id without its end, so that what begins with the id follows it. */
  private byte[] open(String tenant, String id) {
    byte[] key = layout.key(key(tenant, id));
    return Arrays.copyOf(key, key.length - 1);
  }

  /** Stores a new record. */
  public void insert(Transaction tr, String tenant, String id, M record) {
    values.set(tr, key(tenant, id), record.toByteArray(), 0);
  }

  /** Stores a record in the place of {@code before}. */
  public void update(Transaction tr, String tenant, String id, M before, M record) {
    int chunks = LargeValue.split(before.toByteArray()).length - 1;
    values.set(tr, key(tenant, id), record.toByteArray(), chunks);
  }

  /** Removes a record that stands in no index. */
  public void remove(Transaction tr, String tenant, String id) {
    values.clear(tr, key(tenant, id));
  }

  /**
   * Adds a new record to an index.
   *
   * @param index the index's number: stored, never changed nor given to another index of the kind
   * @param value the value that the index tells records apart by; empty for an index of all
   * @param order the row's place among those of its transaction
   */
  public void index(
      Transaction tr, String tenant, int index, String value, PendingEventId order, String id) {
    Tuple key =
        indexOf(tenant, index, value).add(order.era()).add(Versionstamp.incomplete(order.number()));
    tr.setVersionstampedKey(layout.stampedKey(key), Tuple.from(id).pack());
  }

  /**
   * Returns a page of an index's rows.
   *
   * @param after the position of the row that the page begins after
   * @param newestFirst whether to begin with the newest row
   */
  public List<IndexRow> page(
      ReadTransaction tr,
      String tenant,
      int index,
      String value,
      Optional<byte[]> after,
      int limit,
      boolean newestFirst) {
    Tuple parent = indexOf(tenant, index, value);
    KeyRange all = layout.children(parent);
    byte[] start = layout.key(parent);
    KeyRange range =
        after.map(position -> all.after(join(start, position), newestFirst)).orElse(all);
    List<IndexRow> rows = new ArrayList<>();
    for (KeyValue row : tr.getRange(range, limit, newestFirst)) {
      byte[] position = new byte[row.key().length - start.length];
      System.arraycopy(row.key(), start.length, position, 0, position.length);
      rows.add(new IndexRow(Tuple.fromBytes(row.value()).getString(0), position));
    }
    return rows;
  }

  /**
   * Records of an index.
   *
   * @param <M> the record
   * @param records the records, oldest first
   * @param next the position to go on from, empty where there are no more
   */
  public record Batch<M>(List<M> records, Optional<byte[]> next) {
    /** Copies the records. */
    public Batch {
      records = List.copyOf(records);
    }
  }

  /**
   * Returns up to {@code limit} records of an index, oldest first.
   *
   * @param after the position to go on from, as the batch before returned it
   */
  public Batch<M> batch(
      ReadTransaction tr,
      String tenant,
      int index,
      String value,
      Optional<byte[]> after,
      int limit) {
    List<IndexRow> rows = page(tr, tenant, index, value, after, limit, false);
    return new Batch<>(
        getAll(tr, tenant, rows.stream().map(IndexRow::id).toList()),
        rows.size() < limit ? Optional.empty() : Optional.of(rows.get(rows.size() - 1).position()));
  }

  private static byte[] join(byte[] start, byte[] position) {
    byte[] key = new byte[start.length + position.length];
    System.arraycopy(start, 0, key, 0, start.length);
    System.arraycopy(position, 0, key, start.length, position.length);
    return key;
  }

  private Tuple indexOf(String tenant, int index, String value) {
    return layout.tenant(tenant, TenantSpace.INDEX).add(type.number()).add(index).add(value);
  }

  private Tuple key(String tenant, String id) {
    return layout.tenant(tenant, TenantSpace.RECORD).add(type.number()).add(id);
  }

  private M parse(byte[] bytes) {
    try {
      return type.parser().parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(
          "a stored record of kind " + type.number() + " is damaged", e);
    }
  }
}
