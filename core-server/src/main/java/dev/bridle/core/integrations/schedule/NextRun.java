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

  /** Returns the record of a schedule with its next run; of a completed one without a time. */
  static ScheduleRecord at(Schedule schedule, Optional<Instant> time) {
    if (time.isEmpty()) {
      return never(schedule, ScheduleStatus.SCHEDULE_STATUS_DONE);
    }
    long millis = time.get().toEpochMilli();
    return ScheduleRecord.newBuilder()
        .setSchedule(
            schedule.toBuilder()
                .setStatus(ScheduleStatus.SCHEDULE_STATUS_ACTIVE)
                .setNextRunAt(Timestamps.fromMillis(millis)))
        .setDueAt(millis)
        .build();
  }

  /** Returns the record of a schedule that does not run. */
  static ScheduleRecord never(Schedule schedule, ScheduleStatus status) {
    return ScheduleRecord.newBuilder()
        .setSchedule(schedule.toBuilder().setStatus(status).clearNextRunAt())
        .build();
  }
}
