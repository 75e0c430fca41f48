package dev.bridle.core.operations.check.resource;

import dev.bridle.core.integrations.relay.Folder;
import dev.bridle.core.integrations.relay.Placements;
import dev.bridle.core.integrations.relay.RelayRecords;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.ExchangeStatus;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Mailbox;
import dev.bridle.storage.layer.PendingEventId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that every exchange has the decision and the due time that its state requires, and stands
 * in the mailboxes that it belongs into.
 */
public final class ExchangesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("exchanges of " + scope.tenant());
    Mailbox mailbox = new Mailbox(scope.layout());
    RowCheck.eachRecord(
        scope, RelayRecords.EXCHANGE, (tr, id, record) -> check(scope, mailbox, tr, id, record));
  }

  private static Optional<Fault> check(
      CheckScope scope, Mailbox mailbox, ReadTransaction tr, String id, ExchangeRecord record) {
    String wrong = wrong(record);
    if (!wrong.isEmpty()) {
      return Optional.of(Fault.of(FaultKind.EXCHANGE_WRONG, scope.tenant(), id, wrong));
    }
    List<String> lacking = lacking(scope, mailbox, tr, record);
    if (lacking.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
                FaultKind.MAILBOX_WRONG,
                scope.tenant(),
                id,
                "The exchange is not where it belongs in the mailbox of " + lacking.get(0) + ".")
            .repairedBy(
                again ->
                    record(scope, again, id)
                        .filter(is -> !lacking(scope, mailbox, again, is).isEmpty())
                        .isPresent(),
                again -> record(scope, again, id).ifPresent(is -> put(scope, mailbox, again, is))));
  }

  private static Optional<ExchangeRecord> record(CheckScope scope, ReadTransaction tr, String id) {
    return new Records(scope.rows(), scope.tenant()).find(tr, RelayRecords.EXCHANGE, id);
  }

  private static String wrong(ExchangeRecord record) {
    boolean decided =
        record.getStatus() == ExchangeStatus.EXCHANGE_STATUS_DECIDED
            || record.getStatus() == ExchangeStatus.EXCHANGE_STATUS_DELIVERED;
    if (decided != record.hasOutcome()) {
      return "The exchange's state does not match its decision.";
    }
    boolean pending = record.getStatus() == ExchangeStatus.EXCHANGE_STATUS_PENDING_APPROVAL;
    boolean due =
        pending
            ? record.getDueAt() == record.getExpiresAtMillis()
            : record.getDueAt() >= record.getChangedAt();
    return due ? "" : "The exchange is due at another time than its state requires.";
  }

  /** Returns the owners of the mailboxes that lack it. */
  private static List<String> lacking(
      CheckScope scope, Mailbox mailbox, ReadTransaction tr, ExchangeRecord record) {
    return Placements.of(record).entrySet().stream()
        .filter(of -> !isIn(scope, mailbox, tr, record, of))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isIn(
      CheckScope scope,
      Mailbox mailbox,
      ReadTransaction tr,
      ExchangeRecord record,
      Map.Entry<String, Folder> of) {
    String id = record.getRequestId();
    return mailbox
        .place(tr, scope.tenant(), of.getKey(), id)
        .filter(place -> place.folder() == of.getValue().number())
        .flatMap(place -> mailbox.itemAt(tr, scope.tenant(), of.getKey(), place))
        .filter(id::equals)
        .isPresent();
  }

  private static void put(
      CheckScope scope, Mailbox mailbox, Transaction tr, ExchangeRecord record) {
    int era =
        tr.get(scope.rows().eventKeys().eraKey(scope.tenant()))
            .flatMap(scope.rows()::number)
            .orElse(0L)
            .intValue();
    int number = 0;
    for (Map.Entry<String, Folder> of : Placements.of(record).entrySet()) {
      if (!isIn(scope, mailbox, tr, record, of)) {
        mailbox.put(
            tr,
            scope.tenant(),
            of.getKey(),
            record.getRequestId(),
            of.getValue().number(),
            new PendingEventId(era, number++, 0));
      }
    }
  }
}
