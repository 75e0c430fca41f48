package dev.bridle.core.operations.check;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Looks at rows one by one, each with what it can look up in the transaction of its page. */
interface RowCheck {
  /** Looks at a row whose key has the shape of its subspace. */
  Optional<Fault> check(ReadTransaction tr, Row row);

  /** Tells what is wrong with a row; empty where nothing is. */
  interface Judgement {
    String wrong(ReadTransaction tr, Row row);
  }

  /** Looks at every row of a range, and repairs by clearing those with which something is wrong. */
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

  /** Looks at every row of a range. */
  static void each(CheckScope scope, KeyRange range, RowCheck check) {
    scope
        .walk()
        .pages(
            range,
            Walk.PAGE,
            (tr, page) -> {
              List<Fault> faults = new ArrayList<>();
              for (Row row : page) {
                if (KeyShapes.fits(row.key())) {
                  check.check(tr, row).ifPresent(faults::add);
                }
              }
              return faults;
            },
            scope.findings()::suspectAll);
  }
}
