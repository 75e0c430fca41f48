package dev.bridle.core.operations.check.rule;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.walk.KeyShapes;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Checks rows one by one, each in the transaction of its page. */
public interface RowCheck {
  /** Checks a row whose key has the items of its subspace. */
  Optional<Fault> check(ReadTransaction tr, Row row);

  /** Describes what is wrong with a row; empty if nothing is. */
  interface Judgement {
    String wrong(ReadTransaction tr, Row row);
  }

  /** Checks every row of a range. Faulty rows are repaired by clearing them. */
  static void clearing(
      CheckScope scope, KeyRange range, Judgement judgement, BiFunction<Row, String, Fault> fault) {
    each(
        scope,
        range,
        (tr, row) ->
            Optional.of(judgement.wrong(tr, row))
                .filter(wrong -> !wrong.isEmpty())
                .map(
                    wrong ->
                        fault
                            .apply(row, wrong)
                            .clearing(row, again -> !judgement.wrong(again, row).isEmpty())));
  }

  /** Checks a record. */
  interface RecordCheck<M> {
    Optional<Fault> check(ReadTransaction tr, String id, M record);
  }

  /** Checks every record of a kind that can be read; {@code RecordsCheck} reports the others. */
  static <M extends MessageLite> void eachRecord(
      CheckScope scope, RecordDef<M> kind, RecordCheck<M> check) {
    each(
        scope,
        scope.rows().recordKeys().recordRange(scope.tenant(), kind.number()),
        (tr, row) ->
            row.key().is(Long.class, String.class)
                ? scope
                    .rows()
                    .whole(tr, row.raw(), row.value())
                    .flatMap(kind::parse)
                    .flatMap(record -> check.check(tr, row.key().text(1), record))
                : Optional.empty());
  }

  /** Checks every row of a range, on several threads. */
  static void each(CheckScope scope, KeyRange range, RowCheck check) {
    scope.walk().parts(range, (tr, page) -> faults(tr, page, check), scope.findings()::suspectAll);
  }

  /** Checks every row of a range with a check that remembers rows, one after the other. */
  static void eachInOrder(CheckScope scope, KeyRange range, RowCheck check) {
    scope
        .walk()
        .pages(
            range, Walk.PAGE, (tr, page) -> faults(tr, page, check), scope.findings()::suspectAll);
  }

  private static List<Fault> faults(ReadTransaction tr, List<Row> page, RowCheck check) {
    List<Fault> faults = new ArrayList<>();
    for (Row row : page) {
      if (KeyShapes.fits(row.key())) {
        check.check(tr, row).ifPresent(faults::add);
      }
    }
    return faults;
  }
}
