package dev.bridle.core.operations.check.task;

import dev.bridle.core.integrations.relay.RelayRecords;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.quota.QuotaStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import dev.bridle.storage.layer.UsageStore;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Usage is kept of quotas, parties of the relay and tasks that are there, and is amounts. */
public final class UsageCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    Set<String> absent = new HashSet<>(); // A few rows each, which are one finding.
    RowCheck.eachInOrder(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.USAGE),
        (tr, row) -> {
          String owner = row.key().text(0);
          if (!there(scope, tr, owner)) {
            return absent.add(owner) ? Optional.of(orphaned(scope, owner)) : Optional.empty();
          }
          return row.value().length == Long.BYTES
              ? Optional.empty()
              : Optional.of(
                  fault(scope, owner, "Usage of " + row.key().text(1) + " is no amount.")
                      .clearing(row, again -> true));
        });
  }

  private static Fault orphaned(CheckScope scope, String owner) {
    return fault(scope, owner, "Usage is kept of a quota, party or task that is not there.")
        .repairableIf(
            tr -> {
              boolean wrong = !there(scope, tr, owner);
              if (wrong) {
                new UsageStore(scope.layout()).forget(tr, scope.tenant(), owner);
              }
              return wrong;
            });
  }

  private static Fault fault(CheckScope scope, String owner, String sentence) {
    return Fault.of(FaultKind.USAGE_ORPHANED, scope.tenant(), owner, sentence);
  }

  private static boolean there(CheckScope scope, ReadTransaction tr, String owner) {
    Records records = new Records(scope.rows(), scope.tenant());
    return records.find(tr, QuotaStore.QUOTA, owner).isPresent()
        || records.find(tr, RelayRecords.PARTY, owner).isPresent()
        || records.find(tr, TaskStore.TASK, owner).isPresent();
  }
}
