package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The tasks that have not ended, or the artifacts without content, in an index. They are found page
 * by page, in a transaction each. A record that is not open then never becomes open again, so only
 * records newer than the last page can be added later.
 */
final class OpenRecords {
  private static final int AT_ONCE = 500;

  private final TransferStores stores;
  private final String tenant;
  private final RecordDef<?> kind;
  private final Optional<Index> index;
  private final List<String> found = new ArrayList<>();
  private Optional<LogPosition> last = Optional.empty();

  private OpenRecords(
      TransferStores stores, String tenant, RecordDef<?> kind, Optional<Index> index) {
    this.stores = stores;
    this.tenant = tenant;
    this.kind = kind;
    this.index = index;
  }

  private record Index(int number, String value) {}

  /** Finds the open records of an index. */
  static OpenRecords find(
      TransferStores stores, String tenant, RecordDef<?> kind, int index, String value) {
    OpenRecords open = new OpenRecords(stores, tenant, kind, Optional.of(new Index(index, value)));
    open.findAll();
    return open;
  }

  /** Returns a set with one record. */
  static OpenRecords one(TransferStores stores, String tenant, RecordDef<?> kind, String id) {
    OpenRecords open = new OpenRecords(stores, tenant, kind, Optional.empty());
    open.found.add(id);
    return open;
  }

  private void findAll() {
    boolean more = true;
    while (more) {
      Page page = stores.store().read(this::pageOfOpen);
      found.addAll(page.open());
      last = page.last().or(() -> last);
      more = page.last().isPresent();
    }
  }

  private record Page(List<String> open, Optional<LogPosition> last) {}

  private Page pageOfOpen(ReadTransaction tr) {
    List<Row> rows = rows(tr, last);
    List<String> open = new ArrayList<>();
    int read = open(tr, rows.stream().map(Row::id).toList(), (id, record) -> open.add(id));
    return new Page(open, lastOf(rows.subList(0, read)));
  }

  /** Reads, at one version, the records that are still open, and newer ones. */
  void read(ReadTransaction tr, BiConsumer<String, byte[]> to) {
    for (int at = 0; at < found.size(); ) {
      at += open(tr, found.subList(at, Math.min(found.size(), at + AT_ONCE)), to);
    }
    List<Row> rows = rows(tr, last);
    while (!rows.isEmpty()) {
      int read = open(tr, rows.stream().map(Row::id).toList(), to);
      rows = rows(tr, lastOf(rows.subList(0, read)));
    }
  }

  /**
   * Passes on those of the first of some records that are open, and returns how many it has read:
   * as many as are in memory at once.
   */
  private int open(ReadTransaction tr, List<String> ids, BiConsumer<String, byte[]> to) {
    List<Optional<byte[]>> read =
        stores.records().getSome(tr, tenant, kind.number(), ids, EventLog.PAGE_BYTES);
    for (int i = 0; i < read.size(); i++) {
      String id = ids.get(i);
      read.get(i).filter(this::isOpen).ifPresent(record -> to.accept(id, record));
    }
    return read.size();
  }

  private boolean isOpen(byte[] record) {
    return kind.equals(TaskStore.TASK)
        ? !TaskLifecycle.terminal(
            TransferStores.parse(TaskRecord.parser(), record).getTask().getStatus())
        : TransferStores.parse(ArtifactRecord.parser(), record).getBlobId().isEmpty();
  }

  private List<Row> rows(ReadTransaction tr, Optional<LogPosition> after) {
    return index
        .map(
            of ->
                stores
                    .records()
                    .page(tr, tenant, kind.number(), of.number(), of.value(), after, AT_ONCE))
        .orElse(List.of());
  }

  private static Optional<LogPosition> lastOf(List<Row> rows) {
    return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(rows.size() - 1).place());
  }
}
