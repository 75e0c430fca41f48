package dev.bridle.core.operations.portability;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.Reference;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Exports the records that a session or task refers to outside of its own unit, once per file, so
 * that references can be resolved wherever the file is loaded. An import leaves existing records
 * unchanged.
 */
final class ContextRecords {
  private final TransferStores stores;
  private final String tenant;
  private final ExportRun run;
  private final Set<Reference> taken = new HashSet<>();
  private boolean leftOut;

  ContextRecords(TransferStores stores, String tenant, ExportRun run) {
    this.stores = stores;
    this.tenant = tenant;
    this.run = run;
  }

  /** Disables the export of context records, for exports in which they are units of their own. */
  void leaveOut() {
    leftOut = true;
  }

  /** Exports the records that a record refers to, recursively. */
  void named(StoredRecord<?> record) {
    List<Runnable> steps = new ArrayList<>();
    for (Reference named : record.references()) {
      RecordDef<?> kind = stores.catalog().named(named.kind());
      if (!leftOut && kind.export().shared() && taken.add(named)) {
        steps.add(() -> one(kind, named.id()));
      }
    }
    run.first(steps);
  }

  /** Exports one record, and the records that it refers to. */
  void one(RecordDef<?> kind, String id) {
    Optional<byte[]> bytes = stores.read(tenant, kind, id);
    if (bytes.isPresent()) {
      run.record(kind, row(kind, RecordDef.ALL, "", id), bytes.get(), true);
      kind.read(id, bytes.get()).ifPresent(this::named);
    }
  }

  /** Returns the row of a record in an index. */
  Row row(RecordDef<?> kind, int index, String value, String id) {
    List<Row> page = stores.page(tenant, kind, index, value, Optional.empty());
    while (!page.isEmpty()) {
      Optional<Row> found = page.stream().filter(row -> row.id().equals(id)).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      LogPosition last = page.get(page.size() - 1).place();
      page = stores.page(tenant, kind, index, value, Optional.of(last));
    }
    throw ProtocolException.of(
        ErrorCode.ERROR_CODE_CONFLICT,
        "The record " + id + " is in no index; run 'bridle storage check' for details.");
  }
}
