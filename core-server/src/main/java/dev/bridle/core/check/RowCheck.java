package dev.bridle.core.check;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at rows one by one, each with what it can look up in the transaction of its page. */
interface RowCheck {
  /** Looks at a row whose key has the shape of its subspace. */
  Optional<Fault> check(ReadTransaction tr, Row row);

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
