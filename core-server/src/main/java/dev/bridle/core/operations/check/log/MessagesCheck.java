package dev.bridle.core.operations.check.log;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Checks that every message has the position of its event in the session's order. */
public final class MessagesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    // A repair of indexes may have given messages other positions.
    if (scope.proofs().messages().proveAll() && scope.proofs().index().proveAll()) {
      return;
    }
    scope.walk().step("messages of " + scope.tenant());
    LogRows log = new LogRows(scope);
    RowCheck.each(
        scope,
        scope.rows().recordKeys().indexRange(scope.tenant(), MessageStore.MESSAGE.number(), 0),
        (tr, row) -> {
          String session = row.key().text(2);
          EventId id =
              scope.rows().eventId(row.key().number(3), row.key().stamp(4), log.partition(session));
          String message = scope.rows().text(row.value()).orElse("");
          return isProven(scope, session, id, message)
                  || namesMessage(log, tr, session, id, message)
                  || log.dropped(tr, session, id)
              ? Optional.empty()
              : Optional.of(
                  Fault.of(
                      FaultKind.REFERENCE_BROKEN,
                      scope.tenant(),
                      message,
                      "The message has the position of the event "
                          + id
                          + ", which is about another message or does not exist."));
        });
  }

  private static boolean isProven(CheckScope scope, String session, EventId id, String message) {
    long at = Proofs.feed(scope.tenant(), session, scope.rows().value(id));
    return scope.proofs().messages().proves(Proofs.message(at, message));
  }

  private static boolean namesMessage(
      LogRows log, ReadTransaction tr, String session, EventId id, String message) {
    byte[] key = log.body(session, id);
    Optional<EventRecord> event = tr.get(key).flatMap(first -> log.parse(tr, key, first));
    return event
        .filter(
            is ->
                (is.getPayload().isEmpty() ? is.getRedactedPayload() : is.getPayload())
                    .toString(StandardCharsets.UTF_8)
                    .contains(message))
        .isPresent();
  }
}
