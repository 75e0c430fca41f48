package dev.bridle.core.operations.check.log;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.TenantCheck;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.CommitStamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that a tenant's era is not below that of any event or import, so that no id is assigned
 * twice, and that its log is open.
 */
public final class EraCheck implements Check {
  private static final long MAX_ERA = 0xffff;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("era of " + scope.tenant());
    scope.findings().suspectAll(scope.store().read(tr -> look(scope, tr)));
  }

  private static List<Fault> look(CheckScope scope, ReadTransaction tr) {
    List<Fault> faults = new ArrayList<>();
    Optional<byte[]> value = tr.get(scope.rows().eventKeys().eraKey(scope.tenant()));
    Optional<Long> number = value.flatMap(scope.rows()::number);
    if (value.isPresent() && number.filter(is -> is >= -1 - MAX_ERA && is <= MAX_ERA).isEmpty()) {
      faults.add(fault(scope, FaultKind.VALUE_DAMAGED, "The tenant's era can't be read."));
      return faults;
    }
    long era = number.orElse(0L);
    if (era < 0) {
      if (TenantCheck.alive(scope, tr)) {
        faults.add(
            fault(
                scope,
                FaultKind.ERA_WRONG,
                "The tenant's log is closed, but the tenant is not being deleted."));
      }
      return faults;
    }
    long highest = Math.max(ofFeed(scope, tr), new LogRows(scope).eraOfImports(tr).orElse(0));
    if (era < highest) {
      faults.add(
          fault(
              scope,
              FaultKind.ERA_WRONG,
              "The tenant's era is "
                  + era
                  + ", but era "
                  + highest
                  + " has been used, so new ids would not be in order."));
    }
    return faults;
  }

  /** Returns the highest era of an event. Each partition of the feed is sorted by era. */
  private static long ofFeed(CheckScope scope, ReadTransaction tr) {
    long highest = 0;
    for (int partition = 0; partition < scope.partitions(); partition++) {
      List<KeyValue> last =
          tr.getRange(scope.rows().eventKeys().feedRange(scope.tenant(), partition), 1, true);
      for (KeyValue row : last) {
        long era =
            scope
                .rows()
                .parse(row.key())
                .filter(key -> key.is(Long.class, Long.class, CommitStamp.class))
                .map(key -> key.number(1))
                .orElse(0L);
        highest = Math.max(highest, era);
      }
    }
    return highest;
  }

  private static Fault fault(CheckScope scope, FaultKind kind, String sentence) {
    return Fault.of(kind, scope.tenant(), scope.tenant(), sentence);
  }
}
