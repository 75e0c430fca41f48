package dev.bridle.core.operations.check.log;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.walk.KeyShapes;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.branch.BranchStore;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.record.v1.BranchRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that streams with a stored newest event or counter have events. */
public final class StreamMetadataCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("newest events of " + scope.tenant());
    scope
        .walk()
        .pages(
            scope.rows().below(scope.tenant(), TenantSpace.LAST_EVENT),
            2 * Walk.PAGE,
            (tr, page) -> {
              List<Fault> faults = new ArrayList<>();
              page.stream()
                  .filter(row -> KeyShapes.fits(row.key()))
                  .filter(row -> !newestIsProven(scope, row))
                  .forEach(row -> last(scope, tr, row).ifPresent(faults::add));
              return faults;
            },
            scope.findings()::suspectAll);
    scope
        .walk()
        .pages(
            scope.rows().below(scope.tenant(), TenantSpace.SEQUENCE),
            2 * Walk.PAGE,
            (tr, page) -> {
              List<Fault> faults = new ArrayList<>();
              page.stream()
                  .filter(row -> KeyShapes.fits(row.key()))
                  .filter(row -> !counterIsProven(scope, row))
                  .forEach(row -> counter(scope, tr, row).ifPresent(faults::add));
              return faults;
            },
            scope.findings()::suspectAll);
  }

  private static boolean newestIsProven(CheckScope scope, Row row) {
    long hash = Proofs.hash(scope.tenant(), row.key().text(0));
    return scope.proofs().newest().proves(hash);
  }

  private static boolean counterIsProven(CheckScope scope, Row row) {
    long hash = Proofs.resource(scope.tenant(), row.key().text(0), row.key().text(1));
    return scope.proofs().counters().proves(hash);
  }

  /**
   * Checks the stored newest event of a stream without events. {@link StreamEndCheck} checks the
   * others.
   */
  private static Optional<Fault> last(CheckScope scope, ReadTransaction tr, Row row) {
    String stream = row.key().text(0);
    LogRows log = new LogRows(scope);
    Optional<EventId> id = scope.rows().eventId(row.value());
    if (!empty(scope, tr, stream) || id.filter(last -> log.dropped(tr, stream, last)).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
            FaultKind.LAST_EVENT_WRONG,
            scope.tenant(),
            stream,
            "A newest event is stored for the stream, which has no events."));
  }

  private static Optional<Fault> counter(CheckScope scope, ReadTransaction tr, Row row) {
    String object = row.key().text(0);
    String id = row.key().text(1);
    LogRows log = new LogRows(scope);
    String stream = sessionOf(scope, tr, object, id).filter(is -> !is.isEmpty()).orElse(id);
    if (!empty(scope, tr, stream) || log.hasFloor(tr, stream)) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
            FaultKind.COUNTER_WRONG,
            scope.tenant(),
            id,
            "Events of the " + object + " have been counted, but there are none."));
  }

  /**
   * Returns the session whose stream has the events of a resource; empty if the resource has its
   * own stream.
   */
  private static Optional<String> sessionOf(
      CheckScope scope, ReadTransaction tr, String object, String id) {
    Records records = new Records(scope.rows(), scope.tenant());
    return switch (object) {
      case "artifact" ->
          records
              .find(tr, ArtifactStore.ARTIFACT, id)
              .map(record -> record.getArtifact().getSessionId());
      case "receipt" -> records.find(tr, ReceiptStore.RECEIPT, id).map(ReceiptRecord::getSessionId);
      case "branch" ->
          records.find(tr, BranchStore.BRANCH, id).map(BranchRecord::getOriginSessionId);
      default -> Optional.empty();
    };
  }

  private static boolean empty(CheckScope scope, ReadTransaction tr, String stream) {
    KeyRange events = scope.rows().eventKeys().bodyRange(scope.tenant(), stream);
    return tr.getRange(events, 1).isEmpty();
  }
}
