package dev.bridle.core.operations.check.log;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.walk.KeyShapes;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Checks that every feed entry is in its stream's partition and has its event. */
public final class FeedCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("feed of " + scope.tenant());
    if (scope.proofs().feed().proveAll()) {
      return;
    }
    LogRows log = new LogRows(scope);
    scope
        .walk()
        .pages(
            scope.rows().below(scope.tenant(), TenantSpace.FEED),
            2 * Walk.PAGE,
            (tr, page) -> {
              List<Fault> faults = new ArrayList<>();
              for (Row row : page) {
                if (KeyShapes.fits(row.key())) {
                  look(scope, log, tr, row).ifPresent(faults::add);
                }
              }
              return faults;
            },
            scope.findings()::suspectAll);
  }

  private static Optional<Fault> look(CheckScope scope, LogRows log, ReadTransaction tr, Row row) {
    int partition = (int) row.key().number(0);
    EventId id = scope.rows().eventId(row.key().number(1), row.key().stamp(2), partition);
    Optional<String> stream = scope.rows().text(row.value());
    boolean proven =
        stream
            .map(is -> Proofs.feed(scope.tenant(), is, scope.rows().value(id)))
            .filter(hash -> scope.proofs().feed().proves(hash))
            .isPresent();
    if (proven && log.partition(stream.get()) == partition) {
      return Optional.empty();
    }
    if (stream.isEmpty() || log.partition(stream.get()) != partition) {
      Fault fault =
          Fault.of(
              FaultKind.FEED_WRONG,
              scope.tenant(),
              id.toString(),
              "The feed entry in partition "
                  + partition
                  + " names the stream '"
                  + stream.orElse("")
                  + "', which lies in another one.");
      // Entries of existing events have been repaired before, where possible.
      return Optional.of(
          log.isLocal(tr, id)
              ? fault.clearing(
                  row,
                  again ->
                      again.get(row.raw()).filter(is -> Arrays.equals(is, row.value())).isPresent()
                          && log.isLocal(again, id))
              : fault);
    }
    if (tr.get(log.body(stream.get(), id)).isPresent() || log.dropped(tr, stream.get(), id)) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
                FaultKind.FEED_ORPHANED,
                scope.tenant(),
                id.toString(),
                "The feed names an event of the stream " + stream.get() + " that is not there.")
            .when(again -> again.get(row.raw()).isPresent()));
  }
}
