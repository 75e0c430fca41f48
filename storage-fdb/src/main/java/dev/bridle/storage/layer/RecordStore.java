package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Stores Protobuf records by id, with indexes in the order of their creation; {@link RecordKeys}
 * defines the rows.
 *
 * <p>Indexed values never change while a record exists (its workspace, its session), so an update
 * touches no index. Reads add conflicts unless they are given a snapshot.
 *
 * @param <M> the record
 */
public final class RecordStore<M extends MessageLite> {
  /** About how many bytes of records are held at once where many are read. */
  private static final long BYTES_AT_ONCE = 2L << 20;

  private final RecordKeys keys;
  private final RecordType<M> type;
  private final LargeValue values;
  private final ConfigurationVersion configuration;

  public RecordStore(KeyLayout layout, RecordType<M> type) {
    this.keys = new RecordKeys(layout);
    this.type = type;
    this.values = new LargeValue(layout);
    this.configuration = new ConfigurationVersion(layout);
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
   * A page of records.
   *
   * @param <M> the record
   * @param records the records
   * @param ids how many of the requested ids were read, from the first on
   */
  public record Some<M>(List<M> records, int ids) {
    /** Copies the records. */
    public Some {
      records = List.copyOf(records);
    }
  }

  /**
   * Returns the records of the first of several ids, in their order, up to about {@code maxBytes},
   * and at least one. Ids without a record are left out.
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
   * Passes on the records of several ids, in their order, about 2 MB at a time. Ids without a
   * record are left out.
   */
  public void each(
      ReadTransaction tr, String tenant, List<String> ids, Consumer<? super M> consumer) {
    for (int at = 0; at < ids.size(); ) {
      Some<M> some = getSome(tr, tenant, ids.subList(at, ids.size()), BYTES_AT_ONCE);
      some.records().forEach(consumer);
      at += some.ids();
    }
  }

  /**
   * Returns up to {@code limit} records in the order of their ids, which begin with {@code prefix}
   * and are not before {@code from}. For small records, which take one row each.
   */
  public List<M> withPrefix(
      ReadTransaction tr, String tenant, String prefix, String from, int limit) {
    KeyRange range = keys.recordRangeFrom(tenant, type.number(), prefix, from);
    return tr.getRange(range, limit).stream()
        .map(row -> parse(values.join(tr, row.key(), row.value())))
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
    KeyRange range = keys.recordRangeBefore(tenant, type.number(), prefix, before);
    return tr.getRange(range, limit, true).stream()
        .map(row -> parse(values.join(tr, row.key(), row.value())))
        .toList();
  }

  /** Stores a new record. */
  public void insert(Transaction tr, String tenant, String id, M record) {
    values.set(tr, key(tenant, id), record.toByteArray(), 0);
    changed(tr, tenant);
  }

  /** Replaces the record {@code before}. */
  public void update(Transaction tr, String tenant, String id, M before, M record) {
    int chunks = LargeValue.furtherChunks(before.getSerializedSize());
    values.set(tr, key(tenant, id), record.toByteArray(), chunks);
    changed(tr, tenant);
  }

  /** Removes a record that is in no index. */
  public void remove(Transaction tr, String tenant, String id) {
    values.clear(tr, key(tenant, id));
    changed(tr, tenant);
  }

  private void changed(Transaction tr, String tenant) {
    if (type.configuration()) {
      configuration.change(tr, tenant);
    }
  }

  /**
   * Adds a new record to an index.
   *
   * @param index the index's number: stored, never changed or reused within the kind
   * @param value the indexed value; empty for an index of all records
   * @param order the row's position within its transaction
   */
  public void index(
      Transaction tr, String tenant, int index, String value, PendingEventId order, String id) {
    byte[] key = keys.index(tenant, type.number(), index, value).stampedRowKey(order);
    tr.setVersionstampedKey(key, Tuple.from(id).pack());
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
    RecordKeys.Index rowKeys = keys.index(tenant, type.number(), index, value);
    KeyRange range = rowKeys.rangeAfterPosition(after, newestFirst);
    List<IndexRow> rows = new ArrayList<>();
    for (KeyValue row : tr.getRange(range, limit, newestFirst)) {
      String id = Tuple.fromBytes(row.value()).getString(0);
      rows.add(new IndexRow(id, rowKeys.positionOf(row.key())));
    }
    return rows;
  }

  /**
   * Records of an index.
   *
   * @param <M> the record
   * @param records the records, oldest first
   * @param next the position to continue from; empty if there are no more
   */
  public record Batch<M>(List<M> records, Optional<byte[]> next) {
    /** Copies the records. */
    public Batch {
      records = List.copyOf(records);
    }
  }

  /**
   * Returns up to {@code limit} records of an index, oldest first, and up to about 2 MB.
   *
   * @param after the position to continue from, as the previous batch returned it
   */
  public Batch<M> batch(
      ReadTransaction tr,
      String tenant,
      int index,
      String value,
      Optional<byte[]> after,
      int limit) {
    List<IndexRow> rows = page(tr, tenant, index, value, after, limit, false);
    Some<M> some = getSome(tr, tenant, rows.stream().map(IndexRow::id).toList(), BYTES_AT_ONCE);
    boolean isLast = rows.size() < limit && some.ids() == rows.size();
    return new Batch<>(
        some.records(),
        isLast ? Optional.empty() : Optional.of(rows.get(some.ids() - 1).position()));
  }

  private byte[] key(String tenant, String id) {
    return keys.recordKey(tenant, type.number(), id);
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
