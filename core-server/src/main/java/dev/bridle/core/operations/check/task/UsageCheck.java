package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.quota.QuotaStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import dev.bridle.storage.layer.UsageStore;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Usage is kept of quotas that are there, and is amounts. */
public final class UsageCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    Set<String> absent = new HashSet<>(); // A few rows each, which are one finding.
    RowCheck.eachInOrder(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.USAGE),
        (tr, row) -> {
          String quota = row.key().text(0);
          if (!there(scope, tr, quota)) {
            return absent.add(quota) ? Optional.of(orphaned(scope, quota)) : Optional.empty();
          }
          return row.value().length == Long.BYTES
              ? Optional.empty()
              : Optional.of(
                  fault(scope, quota, "Usage of " + row.key().text(1) + " is no amount.")
                      .clearing(row, again -> true));
        });
  }

  private static Fault orphaned(CheckScope scope, String quota) {
    return fault(scope, quota, "Usage is kept of a quota that is not there.")
        .repairableIf(
            tr -> {
              boolean wrong = !there(scope, tr, quota);
              if (wrong) {
                new UsageStore(scope.layout()).forget(tr, scope.tenant(), quota);
              }
              return wrong;
            });
  }

  private static Fault fault(CheckScope scope, String quota, String sentence) {
    return Fault.of(FaultKind.USAGE_ORPHANED, scope.tenant(), quota, sentence);
  }

  private static boolean there(CheckScope scope, ReadTransaction tr, String quota) {
    return new Records(scope.rows(), scope.tenant()).find(tr, QuotaStore.QUOTA, quota).isPresent();
  }
}
