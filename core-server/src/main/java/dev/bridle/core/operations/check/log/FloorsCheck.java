package dev.bridle.core.operations.check.log;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventKeys;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Optional;

/**
 * Checks that no events exist below the retention floors, and that no floor is above all events
 * that ever existed: other checks skip what lies below a floor. An import raises floors above
 * existing data, so for a tenant with imports floors are only parsed.
 */
public final class FloorsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("floors of " + scope.tenant());
    Highest highest = new Highest();
    Optional<EventId> ofTenant = scope.store().read(tr -> floor(scope, tr, EventKeys.WHOLE_TENANT));
    RowCheck.eachInOrder(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.FLOOR),
        (tr, row) -> {
          Optional<EventId> floor = scope.rows().eventId(row.value());
          String stream = row.key().text(0);
          if (floor.isEmpty()) {
            return fault(scope, FaultKind.VALUE_DAMAGED, stream, "is no id of an event.");
          }
          if (!stream.equals(EventKeys.WHOLE_TENANT)) {
            highest.raise(floor.get());
          }
          return imports(scope, tr) ? Optional.empty() : look(scope, tr, stream, floor.get());
        });
    // Floors only rise, and the tenant's floor rises with that of a stream.
    boolean above = ofTenant.filter(highest::below).isPresent();
    if (above && !scope.store().read(tr -> imports(scope, tr))) {
      fault(
              scope,
              FaultKind.FLOOR_WRONG,
              EventKeys.WHOLE_TENANT,
              "lies above those of all its streams.")
          .ifPresent(scope.findings()::suspect);
    }
  }

  private static Optional<Fault> look(
      CheckScope scope, ReadTransaction tr, String stream, EventId floor) {
    if (stream.equals(EventKeys.WHOLE_TENANT)) {
      return Optional.empty();
    }
    LogRows log = new LogRows(scope);
    if (log.oldest(tr, stream).filter(id -> id.compareTo(floor) < 0).isPresent()) {
      return fault(scope, FaultKind.FLOOR_WRONG, stream, "lies above events that are there.");
    }
    boolean reached =
        tr.get(log.last(stream))
            .flatMap(scope.rows()::eventId)
            .filter(last -> floor.compareTo(last.justAfter()) <= 0)
            .isPresent();
    if (!reached) {
      return fault(
          scope, FaultKind.FLOOR_WRONG, stream, "lies above all events that there have been.");
    }
    return floor(scope, tr, EventKeys.WHOLE_TENANT)
            .filter(is -> is.compareTo(floor) >= 0)
            .isPresent()
        ? Optional.empty()
        : fault(scope, FaultKind.FLOOR_WRONG, stream, "lies above that of the tenant.");
  }

  private static Optional<EventId> floor(CheckScope scope, ReadTransaction tr, String stream) {
    return tr.get(scope.rows().eventKeys().floorKey(scope.tenant(), stream))
        .flatMap(scope.rows()::eventId);
  }

  private static boolean imports(CheckScope scope, ReadTransaction tr) {
    return !tr.getRange(scope.rows().below(scope.tenant(), TenantSpace.IMPORT), 1).isEmpty();
  }

  private static Optional<Fault> fault(
      CheckScope scope, FaultKind kind, String stream, String wrong) {
    boolean whole = stream.equals(EventKeys.WHOLE_TENANT);
    return Optional.of(
        Fault.of(
            kind,
            scope.tenant(),
            whole ? scope.tenant() : stream,
            "The floor of the " + (whole ? "tenant " : "stream ") + wrong));
  }

  /** The highest floor of a stream. Idempotent, since transactions may be retried. */
  private static final class Highest {
    private Optional<EventId> floor = Optional.empty();

    void raise(EventId to) {
      if (below(to)) {
        floor = Optional.of(to);
      }
    }

    boolean below(EventId other) {
      return floor.isEmpty() || floor.get().compareTo(other) < 0;
    }
  }
}
