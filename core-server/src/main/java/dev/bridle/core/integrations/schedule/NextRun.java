package dev.bridle.core.integrations.schedule;

import com.google.protobuf.util.Timestamps;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Sets the status and the next run of a schedule, which always change together. */
final class NextRun {
  /** A run that starts later than this after its due time counts as missed. */
  static final Duration GRACE = Duration.ofMinutes(1);

  private NextRun() {}

  /**
   * Returns a schedule's record with its next run, which has not been tried; without a time as a
   * completed one.
   */
  static ScheduleRecord at(ScheduleRecord before, Schedule schedule, Optional<Instant> time) {
    if (time.isEmpty()) {
      return never(before, schedule, ScheduleStatus.SCHEDULE_STATUS_DONE);
    }
    long millis = time.get().toEpochMilli();
    return before.toBuilder()
        .setSchedule(
            schedule.toBuilder()
                .setStatus(ScheduleStatus.SCHEDULE_STATUS_ACTIVE)
                .setNextRunAt(Timestamps.fromMillis(millis)))
        .setDueAt(millis)
        .clearAttempts()
        .build();
  }

  /** Returns the record of a schedule that does not run. */
  static ScheduleRecord never(ScheduleRecord before, Schedule schedule, ScheduleStatus status) {
    return before.toBuilder()
        .setSchedule(schedule.toBuilder().setStatus(status).clearNextRunAt())
        .clearDueAt()
        .clearAttempts()
        .build();
  }
}
