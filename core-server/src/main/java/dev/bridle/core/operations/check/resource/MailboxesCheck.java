package dev.bridle.core.operations.check.resource;

import dev.bridle.core.integrations.relay.Folder;
import dev.bridle.core.integrations.relay.Placements;
import dev.bridle.core.integrations.relay.RelayRecords;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Mailbox;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Arrays;
import java.util.Optional;

/** Checks that mailboxes hold exchanges that belong there, each of them once. */
public final class MailboxesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("mailboxes of " + scope.tenant());
    RowCheck.clearing(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.MAILBOX),
        (tr, row) -> wrong(scope, tr, row),
        (row, wrong) ->
            Fault.of(
                FaultKind.MAILBOX_ORPHANED,
                scope.tenant(),
                row.key().text(0),
                "The row " + row.key().spelled() + " of a mailbox " + wrong));
    RowCheck.clearing(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.MAILBOX_PLACE),
        (tr, row) ->
            folder(scope, tr, row.key().text(0), row.key().text(1)).isPresent()
                ? ""
                : "is stored for an exchange that does not belong there.",
        (row, wrong) ->
            Fault.of(
                FaultKind.MAILBOX_ORPHANED,
                scope.tenant(),
                row.key().text(1),
                "The place " + row.key().spelled() + " in a mailbox " + wrong));
  }

  private static String wrong(CheckScope scope, ReadTransaction tr, Row row) {
    String owner = row.key().text(0);
    Optional<String> item = scope.rows().text(row.value());
    Optional<Folder> folder = item.flatMap(id -> folder(scope, tr, owner, id));
    if (folder.filter(is -> is.number() == row.key().number(1)).isEmpty()) {
      return "is of an exchange that does not belong there.";
    }
    Mailbox mailbox = new Mailbox(scope.layout());
    boolean own =
        mailbox
            .place(tr, scope.tenant(), owner, item.orElseThrow())
            .filter(place -> Arrays.equals(mailbox.rowKey(scope.tenant(), owner, place), row.raw()))
            .isPresent();
    return own ? "" : "is not the one at its exchange's place.";
  }

  /** Returns the folder of a mailbox that an exchange belongs into. */
  private static Optional<Folder> folder(
      CheckScope scope, ReadTransaction tr, String owner, String requestId) {
    return new Records(scope.rows(), scope.tenant())
        .find(tr, RelayRecords.EXCHANGE, requestId)
        .flatMap(exchange -> Optional.ofNullable(Placements.of(exchange).get(owner)));
  }
}
