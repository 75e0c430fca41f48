package dev.bridle.core.integrations.schedule;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.resource.ResourceAction;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleStatus;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Pauses and resumes schedules. */
final class SchedulePauses {
  private SchedulePauses() {}

  /** Returns the service's methods by name. */
  static Map<String, ResourceAction<ScheduleRecord>> actions() {
    return Map.of(
        "PauseSchedule",
        SchedulePauses::pause,
        "ResumeSchedule",
        ResourceAction.checked(ScheduleRules::needMaker, SchedulePauses::resume));
  }

  private static Optional<ResourceAction.Change<ScheduleRecord>> pause(
      Write write, ScheduleRecord before, Message request) {
    ScheduleStatus paused = ScheduleStatus.SCHEDULE_STATUS_PAUSED;
    return change(before, paused, NextRun.never(before, touched(write, before), paused));
  }

  private static Optional<ResourceAction.Change<ScheduleRecord>> resume(
      Write write, ScheduleRecord before, Message request) {
    return change(
        before,
        ScheduleStatus.SCHEDULE_STATUS_ACTIVE,
        NextRun.at(before, touched(write, before), next(write, before.getSchedule())));
  }

  /** Returns the next run of a schedule. The time of a one-time schedule may have passed. */
  private static Optional<Instant> next(Write write, Schedule schedule) {
    return RunTimes.of(schedule)
        .after(schedule.hasAt() ? Instant.MIN : Instant.ofEpochMilli(write.nowMillis()));
  }

  private static Optional<ResourceAction.Change<ScheduleRecord>> change(
      ScheduleRecord before, ScheduleStatus status, ScheduleRecord after) {
    if (before.getSchedule().getStatus() == ScheduleStatus.SCHEDULE_STATUS_DONE) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION,
          "The schedule is completed; set another time to run it again.");
    }
    return before.getSchedule().getStatus() == status
        ? Optional.empty()
        : Optional.of(
            new ResourceAction.Change<>(
                after, Payload.of().text("status", ScheduleEvents.spell(status))));
  }

  private static Schedule touched(Write write, ScheduleRecord before) {
    return before.getSchedule().toBuilder()
        .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
        .build();
  }
}
