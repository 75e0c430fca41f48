package dev.bridle.core.operations.check.resource;

import dev.bridle.core.kernel.record.Place;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.Reference;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Chunks;
import dev.bridle.core.operations.check.rule.DueEntries;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that every record can be parsed, has its own id and its due entries, refers only to
 * existing records, and is in the same workspace or session as the records it belongs to.
 */
public final class RecordsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    if (scope.proofs().ofAllRecords()) {
      return;
    }
    scope.walk().step("records of " + scope.tenant());
    Chunks chunks = new Chunks(scope.rows(), scope.tenant());
    scope
        .walk()
        .parts(
            scope.rows().below(scope.tenant(), TenantSpace.RECORD),
            (tr, page) -> {
              List<Fault> faults = new ArrayList<>();
              Map<Reference, Optional<Place>> known = new HashMap<>();
              for (Row row : page) {
                if (row.key().is(Long.class, String.class)) {
                  record(scope, tr, row, known, faults);
                } else if (row.key().is(Long.class, String.class, Long.class)) {
                  chunks.check(tr, row, row.key().text(1)).ifPresent(faults::add);
                }
              }
              return faults;
            },
            scope.findings()::suspectAll);
  }

  private static void record(
      CheckScope scope,
      ReadTransaction tr,
      Row row,
      Map<Reference, Optional<Place>> known,
      List<Fault> faults) {
    String id = row.key().text(1);
    long source = Proofs.row(scope.tenant(), row.key().number(0), id);
    if (scope.proofs().due().proveAll() && scope.proofs().records().proves(source)) {
      return;
    }
    Optional<RecordDef<?>> kind = scope.catalog().find(row.key().number(0));
    if (kind.isEmpty()) {
      faults.add(
          fault(
              FaultKind.KEY_UNKNOWN,
              scope,
              id,
              "The record is of kind " + row.key().number(0) + ", which is unknown."));
      return;
    }
    String name = kind.get().name();
    Optional<byte[]> whole = scope.rows().whole(tr, row.raw(), row.value());
    Optional<? extends StoredRecord<?>> read = whole.flatMap(value -> kind.get().read(id, value));
    if (read.isEmpty()) {
      String why = whole.isEmpty() ? "lacks a part of its value." : "can't be read.";
      faults.add(fault(FaultKind.VALUE_DAMAGED, scope, id, "The " + name + " " + why));
      return;
    }
    StoredRecord<?> record = read.get();
    if (!record.namesItsId()) {
      faults.add(
          fault(
              FaultKind.RECORD_MISPLACED,
              scope,
              id,
              "The "
                  + name
                  + " stored under this id says that its id is '"
                  + record.namedId().orElse("")
                  + "'."));
    }
    if (!HiddenContent.isCommitted(record.record())) {
      faults.add(
          fault(
              FaultKind.VALUE_DAMAGED,
              scope,
              id,
              "The content of the " + name + " is not what it has the commitment of."));
    }
    faults.addAll(new DueEntries(scope).missing(tr, record));
    for (Reference named : record.references()) {
      if (isProven(scope, record, named)) {
        continue;
      }
      Optional<Place> there = known.computeIfAbsent(named, at -> place(scope, tr, at));
      String wrong =
          there.isEmpty()
              ? ", which does not exist."
              : ", which is in another workspace or session.";
      if (there.filter(record.place()::agrees).isEmpty()) {
        faults.add(
            fault(
                FaultKind.REFERENCE_BROKEN,
                scope,
                id,
                "The " + name + " names the " + named.kind() + " " + named.id() + wrong));
      }
    }
  }

  private static boolean isProven(CheckScope scope, StoredRecord<?> record, Reference named) {
    long hash = Proofs.record(scope.tenant(), named.kind(), named.id());
    return named.owner()
        ? scope.proofs().known().agrees(hash, record.place())
        : scope.proofs().known().contains(hash);
  }

  /**
   * Returns the workspace or session of a referenced record, where it matters; empty if there is no
   * such record.
   */
  private static Optional<Place> place(CheckScope scope, ReadTransaction tr, Reference named) {
    Records records = new Records(scope.rows(), scope.tenant());
    RecordDef<?> kind = scope.catalog().named(named.kind());
    if (!records.exists(tr, kind, named.id())) {
      return Optional.empty();
    }
    return Optional.of(
        named.owner()
            ? records
                .read(tr, kind, named.id())
                .<Place>map(StoredRecord::place)
                .orElse(Place.ANYWHERE)
            : Place.ANYWHERE);
  }

  private static Fault fault(FaultKind kind, CheckScope scope, String id, String sentence) {
    return Fault.of(kind, scope.tenant(), id, sentence);
  }
}
