package dev.bridle.core.check;

import com.google.protobuf.MessageLite;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every record can be read, is the one of its id, and names only records that are there. */
final class RecordsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("records of " + scope.tenant());
    Chunks chunks = new Chunks(scope.rows(), scope.tenant());
    scope
        .walk()
        .pages(
            scope.rows().below(scope.tenant(), TenantSpace.RECORD),
            Walk.PAGE,
            (tr, page) -> {
              List<Fault> faults = new ArrayList<>();
              for (Row row : page) {
                if (row.key().is(Long.class, String.class)) {
                  record(scope, tr, row, faults);
                } else if (row.key().is(Long.class, String.class, Long.class)) {
                  chunks.check(tr, row, row.key().text(1)).ifPresent(faults::add);
                }
              }
              return faults;
            },
            scope.findings()::suspectAll);
  }

  private static void record(CheckScope scope, ReadTransaction tr, Row row, List<Fault> faults) {
    String id = row.key().text(1);
    Optional<RecordKind> kind = RecordKind.of(row.key().number(0));
    if (kind.isEmpty()) {
      faults.add(
          fault(
              FaultKind.KEY_UNKNOWN,
              scope,
              id,
              "The record is of kind " + row.key().number(0) + ", which there is none of."));
      return;
    }
    String name = kind.get().name();
    Optional<byte[]> whole = scope.rows().whole(tr, row.raw(), row.value());
    Optional<MessageLite> record = whole.flatMap(kind.get()::parse);
    if (record.isEmpty()) {
      String why = whole.isEmpty() ? "lacks a part of its value." : "can't be read.";
      faults.add(fault(FaultKind.VALUE_DAMAGED, scope, id, "The " + name + " " + why));
      return;
    }
    String own = kind.get().id().apply(record.get());
    if (!own.equals(id) && !kind.get().equals(RecordKind.TASK_INPUT)) {
      faults.add(
          fault(
              FaultKind.RECORD_MISPLACED,
              scope,
              id,
              "The " + name + " stored under this id says that its id is '" + own + "'."));
    }
    Records records = new Records(scope.rows(), scope.tenant());
    for (References.Reference named : References.of(kind.get(), id, record.get())) {
      if (!records.exists(tr, named.kind(), named.id())) {
        faults.add(
            fault(
                FaultKind.REFERENCE_BROKEN,
                scope,
                id,
                "The "
                    + name
                    + " names the "
                    + named.kind().name()
                    + " "
                    + named.id()
                    + ", which is not there."));
      }
    }
  }

  private static Fault fault(FaultKind kind, CheckScope scope, String id, String sentence) {
    return Fault.of(kind, scope.tenant(), id, sentence);
  }
}
