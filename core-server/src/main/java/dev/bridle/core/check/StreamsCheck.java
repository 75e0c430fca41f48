package dev.bridle.core.check;

import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.CommitStamp;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every event can be read and keeps its commitment, is in the feed and, where it is a task's, among
 * the task's pointers; numbers of resources that are no task are dense; each stream's newest event
 * and counters are as its events tell.
 */
final class StreamsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("events of " + scope.tenant());
    EventCheck events = new EventCheck(scope);
    StreamEndCheck ends = new StreamEndCheck(scope);
    Chunks chunks = new Chunks(scope.rows(), scope.tenant());
    List<StreamFold> open = new ArrayList<>();
    scope
        .walk()
        .pages(
            scope.rows().below(scope.tenant(), TenantSpace.EVENT),
            Walk.PAGE,
            (tr, page) -> look(tr, page, open, events, ends, chunks),
            seen -> {
              scope.findings().suspectAll(seen.faults());
              open.clear();
              seen.open().ifPresent(open::add);
            });
    // The last page may have ended with the stream, so its end is looked at by itself.
    open.forEach(
        stream ->
            scope
                .findings()
                .suspectAll(scope.store().read(tr -> remaining(tr, stream, events, ends))));
  }

  private static Seen look(
      ReadTransaction tr,
      List<Row> page,
      List<StreamFold> open,
      EventCheck events,
      StreamEndCheck ends,
      Chunks chunks) {
    List<Fault> faults = new ArrayList<>();
    Optional<StreamFold> fold = open.stream().findFirst().map(StreamFold::copy);
    List<EventCheck.Pending> pending = new ArrayList<>();
    for (Row row : page) {
      if (row.key().begins(String.class, Long.class, CommitStamp.class)
          && row.key().items().size() == 3) {
        pending.add(events.begin(tr, row));
      }
    }
    int at = 0;
    for (Row row : page) {
      if (!KeyShapes.fits(row.key())) {
        continue; // Named by the census.
      }
      String stream = row.key().text(0);
      if (row.key().items().size() > 3) {
        chunks.check(tr, row, stream).ifPresent(faults::add);
        continue;
      }
      if (fold.isPresent() && !fold.get().stream().equals(stream)) {
        faults.addAll(ends.check(tr, fold.get()));
        fold = Optional.empty();
      }
      StreamFold before = fold.orElseGet(() -> StreamFold.of(stream));
      fold = Optional.of(events.end(tr, pending.get(at++), before, faults));
    }
    return new Seen(fold, faults);
  }

  /** Looks at what has come since the last page, and at the stream's end. */
  private static List<Fault> remaining(
      ReadTransaction tr, StreamFold stream, EventCheck events, StreamEndCheck ends) {
    List<Fault> faults = new ArrayList<>();
    StreamFold fold = stream.copy();
    boolean more = true;
    while (more) {
      List<Row> rows = events.after(tr, fold, Walk.PAGE);
      for (Row row : rows) {
        if (row.key().items().size() == 3) {
          fold = events.end(tr, events.begin(tr, row), fold, faults);
        }
      }
      more = rows.size() == Walk.PAGE;
    }
    faults.addAll(ends.check(tr, fold));
    return faults;
  }

  private record Seen(Optional<StreamFold> open, List<Fault> faults) {}
}
