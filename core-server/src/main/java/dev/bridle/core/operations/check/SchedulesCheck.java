package dev.bridle.core.operations.check;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.integrations.schedule.Schedules;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.ScheduleStatus;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import java.util.Optional;

/** Checks that every active schedule, and no other, has a next run and its due entry. */
final class SchedulesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("schedules of " + scope.tenant());
    DueIndex due = new DueIndex(scope.layout());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.each(
        scope,
        scope.rows().recordKeys().recordRange(scope.tenant(), Schedules.SCHEDULE.number()),
        (tr, row) ->
            records
                .find(tr, Schedules.SCHEDULE, row.key().text(1))
                .flatMap(record -> fault(scope, records, due, tr, row, record)));
  }

  private static Optional<Fault> fault(
      CheckScope scope,
      Records records,
      DueIndex due,
      ReadTransaction tr,
      Row row,
      ScheduleRecord record) {
    String id = row.key().text(1);
    if (!fits(record)) {
      return Optional.of(
          Fault.of(
              FaultKind.SCHEDULE_WRONG,
              scope.tenant(),
              id,
              "The schedule's status does not match its next run."));
    }
    DueEntry entry = new DueEntry(record.getDueAt(), DueKind.SCHEDULE, scope.tenant(), id);
    if (record.getDueAt() == 0 || due.contains(tr, entry)) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
                FaultKind.DUE_MISSING,
                scope.tenant(),
                id,
                "The schedule never runs again: it has no due entry.")
            .repairedBy(
                again ->
                    !due.contains(again, entry)
                        && records
                            .find(again, Schedules.SCHEDULE, id)
                            .filter(now -> now.getDueAt() == record.getDueAt())
                            .isPresent(),
                again -> due.schedule(again, entry)));
  }

  /**
   * Returns whether status and next run match. The due time of a retry is later than that of its
   * run.
   */
  private static boolean fits(ScheduleRecord record) {
    boolean active = record.getSchedule().getStatus() == ScheduleStatus.SCHEDULE_STATUS_ACTIVE;
    if (!active || record.getDeletedAt() != 0) {
      return record.getDueAt() == 0 && !record.getSchedule().hasNextRunAt();
    }
    return record.getSchedule().hasNextRunAt()
        && record.getDueAt() >= Timestamps.toMillis(record.getSchedule().getNextRunAt());
  }
}
