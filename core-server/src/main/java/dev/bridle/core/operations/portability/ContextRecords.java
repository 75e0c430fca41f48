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
 * Takes out what a session or a task refers to beside its own unit, once in a file: so that what
 * they name is there wherever they are loaded, and is left alone where it is there already.
 */
final class ContextRecords {
  private static final int ROWS_AT_ONCE = 64;

  private final Stored stored;
  private final String tenant;
  private final ExportRun run;
  private final Set<Reference> taken = new HashSet<>();
  private boolean leftOut;

  ContextRecords(Stored stored, String tenant, ExportRun run) {
    this.stored = stored;
    this.tenant = tenant;
    this.run = run;
  }

  /** Takes nothing out: all of it comes in units of its own. */
  void leaveOut() {
    leftOut = true;
  }

  /** Takes out what a record names, and what that names in its turn. */
  void named(StoredRecord<?> record) {
    List<Runnable> steps = new ArrayList<>();
    for (Reference named : record.references()) {
      RecordDef<?> kind = stored.catalog().named(named.kind());
      if (!leftOut && kind.export().shared() && taken.add(named)) {
        steps.add(() -> one(kind, named.id()));
      }
    }
    run.first(steps);
  }

  /** Takes out one record, and what it names. */
  void one(RecordDef<?> kind, String id) {
    Optional<byte[]> bytes =
        stored.store().read(tr -> stored.records().get(tr, tenant, kind.number(), id));
    if (bytes.isPresent()) {
      run.record(kind, row(kind, RecordDef.ALL, "", id), bytes.get(), true);
      kind.read(id, bytes.get()).ifPresent(this::named);
    }
  }

  /** Finds where a record stands in an index. */
  Row row(RecordDef<?> kind, int index, String value, String id) {
    List<Row> page = page(kind, index, value, Optional.empty());
    while (!page.isEmpty()) {
      Optional<Row> found = page.stream().filter(row -> row.id().equals(id)).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      LogPosition last = page.get(page.size() - 1).place();
      page = page(kind, index, value, Optional.of(last));
    }
    throw ProtocolException.of(
        ErrorCode.ERROR_CODE_CONFLICT,
        "The record " + id + " stands in no index; 'bridle storage check' tells more.");
  }

  private List<Row> page(RecordDef<?> kind, int index, String value, Optional<LogPosition> after) {
    return stored
        .store()
        .read(
            tr ->
                stored
                    .records()
                    .page(tr, tenant, kind.number(), index, value, after, ROWS_AT_ONCE));
  }
}
