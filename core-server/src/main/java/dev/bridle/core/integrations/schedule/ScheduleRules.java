package dev.bridle.core.integrations.schedule;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.work.task.OrderRules;
import dev.bridle.schedule.v1.Schedule;
import java.time.Instant;
import java.util.Optional;

/** What a schedule must be to run, and what its maker must be allowed to do. */
final class ScheduleRules {
  private final OrderRules orders;
  private final int most;

  ScheduleRules(OrderRules orders, int most) {
    this.orders = orders;
    this.most = most;
  }

  /** Checks that a caller may itself do what a schedule does. */
  static void needMaker(Caller caller) {
    OrderRules.needMaker(caller, "schedule");
  }

  /** Checks that the tenant may have one more. */
  void needRoom(Write write, ScheduleStore schedules) {
    TenantLimits.needRoom(
        write, schedules.records(), ScheduleStore.SCHEDULE, ScheduleStore::lives, most);
  }

  /** Checks that the tasks of a schedule can be made. */
  void check(Write write, Caller caller, Schedule schedule) {
    var unused = RunTimes.of(schedule);
    orders.checkTargets(
        write.tr(), caller, schedule.getWorkspaceId(), persona(schedule), session(schedule));
  }

  /** Returns the first run of a schedule that begins now; refuses one that would have none. */
  static Instant first(Write write, Schedule schedule) {
    Instant now = Instant.ofEpochMilli(write.nowMillis());
    Instant from = schedule.hasAt() ? now.minus(NextRun.GRACE) : now;
    return RunTimes.of(schedule)
        .after(from)
        .orElseThrow(
            () ->
                ProtocolException.invalid(
                    schedule.hasAt() ? "at" : "cron", "names no time that is still to come"));
  }

  static Optional<String> persona(Schedule schedule) {
    return schedule.hasTargetPersonaId()
        ? Optional.of(schedule.getTargetPersonaId())
        : Optional.empty();
  }

  static Optional<String> session(Schedule schedule) {
    return schedule.hasTargetSessionId()
        ? Optional.of(schedule.getTargetSessionId())
        : Optional.empty();
  }
}
