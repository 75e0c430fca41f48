package dev.bridle.core.operations.check.resource;

import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.core.integrations.connector.ConnectorStore;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.PollSeenRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/** Checks that every polling connector, and no other, is due and remembers seen items. */
public final class PollsCheck implements Check {
  private static final int KEY_LENGTH = 16;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("polls of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.eachRecord(
        scope,
        ConnectorStore.CONNECTOR,
        (tr, id, connector) ->
            fits(connector)
                ? Optional.empty()
                : wrong(
                    scope, id, "The connector's polling state does not match its configuration."));
    RowCheck.eachRecord(
        scope,
        ConnectorStore.POLL_SEEN,
        (tr, id, seen) ->
            fits(records, tr, seen)
                ? Optional.empty()
                : wrong(
                    scope,
                    seen.getConnectorId(),
                    "The connector's seen items are damaged, or it does not poll."));
  }

  private static boolean fits(Records records, ReadTransaction tr, PollSeenRecord seen) {
    return seen.getKeys().size() % KEY_LENGTH == 0
        && records
            .find(tr, ConnectorStore.CONNECTOR, seen.getConnectorId())
            .filter(record -> record.getConnector().hasPolling())
            .isPresent();
  }

  private static boolean fits(ConnectorRecord record) {
    long dueAt = record.getPolls().getDueAt();
    return polls(record) == (dueAt != 0) && (dueAt != 0 || record.getPolls().getClaim().isEmpty());
  }

  private static boolean polls(ConnectorRecord record) {
    return record.getDeletedAt() == 0
        && record.getConnector().hasPolling()
        && record.getConnector().getStatus() == ConnectorStatus.CONNECTOR_STATUS_ACTIVE;
  }

  private static Optional<Fault> wrong(CheckScope scope, String id, String what) {
    return Optional.of(Fault.of(FaultKind.POLL_WRONG, scope.tenant(), id, what));
  }
}
