package dev.bridle.core.operations.check.task;

import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.log.LogRows;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the artifacts exist that an outcome names, if an event of its task has created them.
 * A worker may name any other ids.
 */
public final class OutcomeArtifactsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    if (scope.proofs().results().proveAll()) {
      return;
    }
    scope.walk().step("results of " + scope.tenant());
    scope
        .walk()
        .parts(
            scope.rows().recordKeys().recordRange(scope.tenant(), OutcomeStore.OUTCOME.number()),
            (tr, page) ->
                page.stream()
                    .filter(row -> row.key().is(Long.class, String.class))
                    .filter(row -> !isProven(scope, row.key().text(1)))
                    .flatMap(row -> absent(scope, tr, row).stream())
                    .toList(),
            found -> found.forEach(absent -> findCreated(scope, absent)));
  }

  private static boolean isProven(CheckScope scope, String outcome) {
    return scope.proofs().results().proves(Proofs.hash(scope.tenant(), outcome));
  }

  /**
   * Artifacts that an outcome names and that do not exist.
   *
   * @param outcome the outcome
   * @param task its task
   * @param session the task's session
   * @param artifacts the artifacts
   */
  private record Absent(String outcome, String task, String session, List<String> artifacts) {}

  private static Optional<Absent> absent(CheckScope scope, ReadTransaction tr, Row row) {
    Records records = new Records(scope.rows(), scope.tenant());
    Optional<OutcomeRecord> outcome =
        scope.rows().whole(tr, row.raw(), row.value()).flatMap(OutcomeStore.OUTCOME::parse);
    List<String> artifacts =
        outcome.stream()
            .flatMap(record -> record.getArtifactIdsList().stream())
            .distinct()
            .filter(artifact -> !records.exists(tr, ArtifactStore.ARTIFACT, artifact))
            .toList();
    if (artifacts.isEmpty()) {
      return Optional.empty();
    }
    String task = outcome.get().getOutcome().getTaskId();
    return records
        .find(tr, TaskStore.TASK, task)
        .map(
            record ->
                new Absent(row.key().text(1), task, record.getTask().getSessionId(), artifacts));
  }

  /** Searches the task's events, which never change, for the creation of the artifacts. */
  private static void findCreated(CheckScope scope, Absent absent) {
    KeyRange all = scope.rows().eventKeys().taskEventRange(scope.tenant(), absent.task());
    List<String> payloads = new ArrayList<>();
    Optional<KeyRange> rest = Optional.of(all);
    while (rest.isPresent()) {
      KeyRange at = rest.get();
      rest =
          scope
              .store()
              .read(
                  tr -> {
                    List<KeyValue> pointers = tr.getRange(at, TaskLogCheck.PIECE);
                    payloads.addAll(made(scope, tr, absent.session(), pointers));
                    return pointers.size() < TaskLogCheck.PIECE
                        ? Optional.empty()
                        : Optional.of(
                            new KeyRange(
                                KeyRange.after(pointers.get(pointers.size() - 1).key()), at.end()));
                  });
    }
    for (String artifact : absent.artifacts()) {
      String member = "\"artifact_id\":\"" + artifact + '"';
      if (payloads.stream().anyMatch(payload -> payload.contains(member))) {
        scope
            .findings()
            .suspect(
                Fault.of(
                    FaultKind.REFERENCE_BROKEN,
                    scope.tenant(),
                    absent.outcome(),
                    "The outcome names the artifact "
                        + artifact
                        + ", which its task has created and which does not exist."));
      }
    }
  }

  /** Returns the payloads of the events that create an artifact. */
  private static List<String> made(
      CheckScope scope, ReadTransaction tr, String session, List<KeyValue> pointers) {
    LogRows log = new LogRows(scope);
    return pointers.stream()
        .flatMap(pointer -> scope.rows().eventId(pointer.value()).stream())
        .map(id -> log.body(session, id))
        .flatMap(key -> tr.get(key).flatMap(first -> log.parse(tr, key, first)).stream())
        .filter(event -> event.getEvent().equals(EventKinds.ARTIFACT_CREATED))
        .map(
            event -> event.getPayload().isEmpty() ? event.getRedactedPayload() : event.getPayload())
        .map(payload -> payload.toString(StandardCharsets.UTF_8))
        .toList();
  }
}
