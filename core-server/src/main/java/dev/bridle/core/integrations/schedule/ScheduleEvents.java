package dev.bridle.core.integrations.schedule;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleStatus;

/** Appends events of schedules, each to the schedule's stream. */
final class ScheduleEvents {
  private final Events events;

  ScheduleEvents(Events events) {
    this.events = events;
  }

  void append(Write write, Schedule schedule, String kind, Payload payload) {
    var unused =
        events.ofResource(
            write,
            schedule.getWorkspaceId(),
            Schedules.SCHEDULE.name(),
            schedule.getId(),
            EventDraft.of(kind, payload));
  }

  static String spell(ScheduleStatus status) {
    return status.name().substring("SCHEDULE_STATUS_".length());
  }
}
