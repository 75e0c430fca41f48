package dev.bridle.core.operations.check.log;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Chunks;
import dev.bridle.core.operations.check.walk.KeyShapes;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.CommitStamp;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that every event can be parsed, matches its commitment, and is in the feed and in its
 * task's pointers; that sequence numbers of resources other than tasks have no gaps; and that each
 * stream's stored newest event and counters match its events.
 */
public final class StreamsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("events of " + scope.tenant());
    if (scope.proofs().ofAllEvents()) {
      return;
    }
    EventCheck events = new EventCheck(scope);
    StreamEndCheck ends = new StreamEndCheck(scope);
    Chunks chunks = new Chunks(scope.rows(), scope.tenant());
    List<StreamFold> open = new ArrayList<>();
    scope
        .walk()
        .pages(
            scope.rows().below(scope.tenant(), TenantSpace.EVENT),
            Walk.PAGE,
            (tr, page) -> look(tr, page, open, events, chunks),
            seen -> {
              scope.findings().suspectAll(seen.faults());
              ends.check(seen.ended().stream().map(StreamFold::settle).toList());
              open.clear();
              seen.open().map(StreamFold::settle).ifPresent(open::add);
            });
    ends.check(open);
  }

  private static Seen look(
      ReadTransaction tr, List<Row> page, List<StreamFold> open, EventCheck events, Chunks chunks) {
    List<Fault> faults = new ArrayList<>();
    List<StreamFold> ended = new ArrayList<>();
    Optional<StreamFold> fold = open.stream().findFirst().map(StreamFold::begin);
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
        continue; // The census reports it.
      }
      String stream = row.key().text(0);
      if (row.key().items().size() > 3) {
        chunks.check(tr, row, stream).ifPresent(faults::add);
        continue;
      }
      if (fold.isPresent() && !fold.get().stream().equals(stream)) {
        ended.add(fold.get());
        fold = Optional.empty();
      }
      StreamFold before = fold.orElseGet(() -> StreamFold.of(stream));
      fold = Optional.of(events.end(tr, pending.get(at++), before, faults));
    }
    return new Seen(fold, ended, faults);
  }

  private record Seen(Optional<StreamFold> open, List<StreamFold> ended, List<Fault> faults) {}
}
