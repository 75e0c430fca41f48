package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Low-level access to the rows of {@link RecordStore}, to import and export records as bytes, and
 * index rows at their log positions.
 */
public final class RecordRows {
  private final RecordKeys keys;
  private final LargeValue values;

  public RecordRows(KeyLayout layout) {
    this.keys = new RecordKeys(layout);
    this.values = new LargeValue(layout);
  }

  /**
   * A row of an index.
   *
   * @param place its log position
   * @param id the record
   */
  public record Row(LogPosition place, String id) {}

  /** Returns a record's bytes. */
  public Optional<byte[]> get(ReadTransaction tr, String tenant, int kind, String id) {
    return values.get(tr, keys.recordKey(tenant, kind, id));
  }

  /**
   * Returns the bytes of the first of several records, in the order of their ids, up to about
   * {@code maxBytes}, and at least one; empty where there is none under an id.
   */
  public List<Optional<byte[]>> getSome(
      ReadTransaction tr, String tenant, int kind, List<String> ids, long maxBytes) {
    ByteBudget budget = new ByteBudget(maxBytes);
    List<Optional<byte[]>> records = new ArrayList<>(ids.size());
    while (records.size() < ids.size() && !budget.isSpent()) {
      int end = records.size() + budget.next(ids.size() - records.size());
      List<CompletableFuture<Optional<byte[]>>> reads = new ArrayList<>();
      for (String id : ids.subList(records.size(), end)) {
        reads.add(values.getAsync(tr, keys.recordKey(tenant, kind, id)));
      }
      for (CompletableFuture<Optional<byte[]>> read : reads) {
        Optional<byte[]> record = read.join();
        budget.take(record.map(bytes -> bytes.length).orElse(0));
        records.add(record);
      }
    }
    return records;
  }

  /** Stores a new record. */
  public void insert(Transaction tr, String tenant, int kind, String id, byte[] record) {
    values.set(tr, keys.recordKey(tenant, kind, id), record, 0);
  }

  /** Removes a record. */
  public void remove(Transaction tr, String tenant, int kind, String id) {
    values.clear(tr, keys.recordKey(tenant, kind, id));
  }

  /** Adds a row to an index. */
  public void index(Transaction tr, String tenant, int kind, int index, String value, Row row) {
    tr.set(rowKey(tenant, kind, index, value, row.place()), Tuple.from(row.id()).pack());
  }

  /** Returns the record at a log position of an index. */
  public Optional<String> at(
      ReadTransaction tr, String tenant, int kind, int index, String value, LogPosition place) {
    return tr.get(rowKey(tenant, kind, index, value, place))
        .map(row -> Tuple.fromBytes(row).getString(0));
  }

  /** Removes a row from an index. */
  public void unindex(
      Transaction tr, String tenant, int kind, int index, String value, LogPosition place) {
    tr.clear(rowKey(tenant, kind, index, value, place));
  }

  /** Returns up to {@code limit} rows of an index after a log position, oldest first. */
  public List<Row> page(
      ReadTransaction tr,
      String tenant,
      int kind,
      int index,
      String value,
      Optional<LogPosition> after,
      int limit) {
    RecordKeys.Index rowKeys = keys.index(tenant, kind, index, value);
    List<Row> rows = new ArrayList<>();
    for (KeyValue row : tr.getRange(rowKeys.rangeAfter(after), limit)) {
      LogPosition place = rowKeys.parseRowKey(row.key());
      rows.add(new Row(place, Tuple.fromBytes(row.value()).getString(0)));
    }
    return rows;
  }

  private byte[] rowKey(String tenant, int kind, int index, String value, LogPosition place) {
    return keys.index(tenant, kind, index, value).rowKey(place);
  }
}
