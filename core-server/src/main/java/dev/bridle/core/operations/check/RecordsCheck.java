package dev.bridle.core.operations.check;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.core.kernel.record.References;
import dev.bridle.core.kernel.record.References.Reference;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every record can be read, is the one of its id, names only records that are there, and lies where
 * those lie that it belongs to.
 */
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
    for (Reference named : References.of(kind.get(), id, record.get())) {
      Optional<Place> there = known.computeIfAbsent(named, at -> place(scope, tr, at));
      String wrong =
          there.isEmpty()
              ? ", which is not there."
              : ", which lies in another workspace or session than it.";
      if (there.filter(Place.of(record.get())::agrees).isEmpty()) {
        faults.add(
            fault(
                FaultKind.REFERENCE_BROKEN,
                scope,
                id,
                "The " + name + " names the " + named.kind().name() + " " + named.id() + wrong));
      }
    }
  }

  /** Returns where a named record lies, as far as that matters; empty where it is not there. */
  private static Optional<Place> place(CheckScope scope, ReadTransaction tr, Reference named) {
    Records records = new Records(scope.rows(), scope.tenant());
    if (!records.exists(tr, named.kind(), named.id())) {
      return Optional.empty();
    }
    return Optional.of(
        named.owner()
            ? records.find(tr, named.kind(), named.id()).map(Place::of).orElse(Place.ANYWHERE)
            : Place.ANYWHERE);
  }

  private static Fault fault(FaultKind kind, CheckScope scope, String id, String sentence) {
    return Fault.of(kind, scope.tenant(), id, sentence);
  }
}
