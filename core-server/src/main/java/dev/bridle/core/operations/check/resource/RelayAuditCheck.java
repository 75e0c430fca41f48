package dev.bridle.core.operations.check.resource;

import dev.bridle.core.integrations.relay.RelayAudit;
import dev.bridle.core.integrations.relay.RelayRecords;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.RelayAuditRecord;
import dev.bridle.relay.v1.RelayAuditEntry;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/** Checks that every entry of the relay's audit log has its hash, and that of the one before. */
public final class RelayAuditCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("audit log of " + scope.tenant());
    RowCheck.eachRecord(
        scope,
        RelayRecords.AUDIT,
        (tr, id, record) -> {
          String wrong = wrong(scope, tr, record.getEntry());
          return wrong.isEmpty()
              ? Optional.empty()
              : Optional.of(Fault.of(FaultKind.AUDIT_WRONG, scope.tenant(), id, wrong));
        });
  }

  private static String wrong(CheckScope scope, ReadTransaction tr, RelayAuditEntry entry) {
    if (!RelayAudit.hash(entry).equals(entry.getHash())) {
      return "The entry has been changed: its hash is another one.";
    }
    if (entry.getIndex() == 1) {
      return entry.hasPreviousHash() ? "The first entry names one before it." : "";
    }
    Optional<RelayAuditEntry> before =
        new Records(scope.rows(), scope.tenant())
            .find(tr, RelayRecords.AUDIT, RelayAudit.id(entry.getIndex() - 1))
            .map(RelayAuditRecord::getEntry);
    return before.map(RelayAuditEntry::getHash).filter(entry.getPreviousHash()::equals).isPresent()
        ? ""
        : "The entry before it is missing, or has another hash.";
  }
}
