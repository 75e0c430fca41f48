package dev.bridle.core.operations.check.resource;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.integrations.schedule.Schedules;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.ScheduleStatus;
import java.util.Optional;

/** Checks that every active schedule, and no other, has a next run. */
public final class SchedulesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("schedules of " + scope.tenant());
    RowCheck.eachRecord(
        scope,
        Schedules.SCHEDULE,
        (tr, id, record) ->
            fits(record)
                ? Optional.empty()
                : Optional.of(
                    Fault.of(
                        FaultKind.SCHEDULE_WRONG,
                        scope.tenant(),
                        id,
                        "The schedule's status does not match its next run.")));
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
