package dev.bridle.core.operations.portability;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.task.TaskFactStore;
import dev.bridle.core.work.workspace.StoredFiles;
import dev.bridle.record.v1.WorkspaceFileRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.EventRows;
import dev.bridle.storage.layer.ImportStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows;
import dev.bridle.storage.layer.RecordRows.Row;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.StepStore;
import java.util.List;
import java.util.Optional;

/**
 * The stores that exports read and imports write.
 *
 * @param store the store
 * @param layout the key layout
 * @param catalog the kinds of records
 * @param installation tenants
 * @param log the event log
 * @param records records as bytes
 * @param events events as bytes
 * @param files files of workspaces
 * @param blobs contents of artifacts and files
 * @param steps steps of tasks
 * @param facts facts for the receipts of tasks
 * @param imports the progress of imports
 * @param due the due index
 */
public record TransferStores(
    KeyValueStore store,
    KeyLayout layout,
    Catalog catalog,
    Installation installation,
    EventLog log,
    RecordRows records,
    EventRows events,
    RecordStore<WorkspaceFileRecord> files,
    BlobStore blobs,
    StepStore steps,
    TaskFactStore facts,
    ImportStore imports,
    DueIndex due) {
  /** The number of rows in a full page of an index. */
  static final int ROWS_AT_ONCE = 64;

  /** Creates the stores on a key-value store. */
  public static TransferStores in(
      KeyValueStore store,
      KeyLayout layout,
      Catalog catalog,
      Installation installation,
      EventLog log) {
    return new TransferStores(
        store,
        layout,
        catalog,
        installation,
        log,
        new RecordRows(layout),
        new EventRows(layout, log),
        StoredFiles.WORKSPACE_FILE.store(layout),
        new BlobStore(layout),
        new StepStore(layout),
        new TaskFactStore(layout),
        new ImportStore(layout),
        new DueIndex(layout));
  }

  /** Returns a page of an index, read in a transaction of its own. */
  List<Row> page(
      String tenant, RecordDef<?> kind, int index, String value, Optional<LogPosition> after) {
    return store.read(
        tr -> records.page(tr, tenant, kind.number(), index, value, after, ROWS_AT_ONCE));
  }

  /** Returns a record's bytes, read in a transaction of its own. */
  Optional<byte[]> read(String tenant, RecordDef<?> kind, String id) {
    return store.read(tr -> records.get(tr, tenant, kind.number(), id));
  }

  static <M extends MessageLite> M parse(Parser<M> parser, byte[] bytes) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored record is damaged", e);
    }
  }
}
