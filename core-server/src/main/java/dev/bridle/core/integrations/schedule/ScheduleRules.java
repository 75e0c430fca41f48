package dev.bridle.core.integrations.schedule;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.DeleteRules;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.kernel.resource.UpdateRules;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.core.work.workspace.WorkspaceOwned;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.MissedRuns;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleStatus;
import dev.bridle.storage.layer.RecordStore;
import java.time.Instant;
import java.util.Optional;

/** Validates schedules, and the permissions of their creators. */
final class ScheduleRules extends WorkspaceOwned<ScheduleRecord, Schedule>
    implements UpdateRules<ScheduleRecord, Schedule>, DeleteRules<ScheduleRecord, Schedule> {
  private final TaskCreationRules orders;
  private final RecordStore<ScheduleRecord> schedules;
  private final int most;

  ScheduleRules(CoreContext context, RecordStore<ScheduleRecord> schedules) {
    super(new WorkspaceStore(context.layout()));
    this.orders = new TaskCreationRules(context);
    this.schedules = schedules;
    this.most = context.settings(TenantLimits.class).schedules();
  }

  /** Checks that the caller has the permissions that the schedule will use. */
  @Override
  public void admit(Caller caller) {
    needMaker(caller);
  }

  static void needMaker(Caller caller) {
    TaskCreationRules.needMaker(caller, "schedule");
  }

  @Override
  public String workspaceOf(ScheduleRecord record) {
    return record.getSchedule().getWorkspaceId();
  }

  @Override
  public boolean deleted(ScheduleRecord record) {
    return record.getDeletedAt() != 0;
  }

  @Override
  public ScheduleRecord create(Write write, Caller caller, Message request, Schedule given) {
    Schedule.Builder made = given.toBuilder();
    if (made.getTimeZone().isEmpty()) {
      made.setTimeZone("UTC");
    }
    if (made.getMissed() == MissedRuns.MISSED_RUNS_UNSPECIFIED) {
      made.setMissed(MissedRuns.MISSED_RUNS_SKIP);
    }
    Schedule schedule = made.build();
    check(write, caller, schedule);
    TenantLimits.needRoom(write, schedules, Schedules.SCHEDULE, record -> !deleted(record), most);
    return NextRun.at(
        by(caller, ScheduleRecord.getDefaultInstance()),
        schedule,
        Optional.of(first(write, schedule)));
  }

  @Override
  public ScheduleRecord update(Write write, Caller caller, ScheduleRecord before, Schedule after) {
    check(write, caller, after);
    ScheduleRecord changed = by(caller, before);
    return timed(
        write, changesTasks(before, after) ? changed : withMakerOf(before, changed), after);
  }

  /** Returns whether a change concerns the tasks that are submitted. */
  private static boolean changesTasks(ScheduleRecord before, Schedule after) {
    Schedule was = before.getSchedule();
    return !was.getText().equals(after.getText())
        || !persona(was).equals(persona(after))
        || !session(was).equals(session(after));
  }

  /** Returns a record whose tasks count as submitted by the actor of an earlier record. */
  private static ScheduleRecord withMakerOf(ScheduleRecord before, ScheduleRecord changed) {
    return changed.toBuilder()
        .setMadeBy(before.getMadeBy())
        .clearShapedBy()
        .addAllShapedBy(before.getShapedByList())
        .build();
  }

  private static ScheduleRecord by(Caller maker, ScheduleRecord record) {
    return record.toBuilder()
        .setAboveSessionPersona(TaskCreationRules.exceedPersonas(maker))
        .setMadeBy(maker.actor())
        .clearShapedBy()
        .addAllShapedBy(
            TaskCreationRules.shapers(record.getShapedByList(), record.getMadeBy(), maker.actor()))
        .build();
  }

  /** Computes the next run of a schedule whose times have changed, unless it is paused. */
  private static ScheduleRecord timed(Write write, ScheduleRecord before, Schedule schedule) {
    if (times(before.getSchedule()).equals(times(schedule))) {
      return before.toBuilder().setSchedule(schedule).build();
    }
    Instant first = first(write, schedule);
    return schedule.getStatus() == ScheduleStatus.SCHEDULE_STATUS_PAUSED
        ? NextRun.never(before, schedule, schedule.getStatus())
        : NextRun.at(before, schedule, Optional.of(first));
  }

  /** Returns a schedule with only the members that determine its run times. */
  private static Schedule times(Schedule schedule) {
    Schedule.Builder times = Schedule.newBuilder().setTimeZone(schedule.getTimeZone());
    if (schedule.hasCron()) {
      times.setCron(schedule.getCron());
    }
    if (schedule.hasAt()) {
      times.setAt(schedule.getAt());
    }
    return times.build();
  }

  /** Marks the schedule as deleted. The record stays in its lists, which skip it. */
  @Override
  public ScheduleRecord delete(Write write, Caller caller, ScheduleRecord before) {
    return ScheduleRecord.newBuilder()
        .setSchedule(
            Schedule.newBuilder()
                .setId(before.getSchedule().getId())
                .setWorkspaceId(before.getSchedule().getWorkspaceId()))
        .setDeletedAt(write.nowMillis())
        .build();
  }

  /** Checks that the tasks of a schedule can be created. */
  private void check(Write write, Caller caller, Schedule schedule) {
    var unused = RunTimes.of(schedule);
    orders.checkTargets(
        write.tr(), caller, schedule.getWorkspaceId(), persona(schedule), session(schedule));
  }

  /** Returns the first run of a schedule that starts now; fails if it has none. */
  private static Instant first(Write write, Schedule schedule) {
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
