package dev.bridle.core.integrations.schedule;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.CreateScheduleRequest;
import dev.bridle.schedule.v1.DeleteScheduleRequest;
import dev.bridle.schedule.v1.DeleteScheduleResponse;
import dev.bridle.schedule.v1.GetScheduleRequest;
import dev.bridle.schedule.v1.ListSchedulesRequest;
import dev.bridle.schedule.v1.ListSchedulesResponse;
import dev.bridle.schedule.v1.MissedRuns;
import dev.bridle.schedule.v1.PauseScheduleRequest;
import dev.bridle.schedule.v1.ResumeScheduleRequest;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.schedule.v1.ScheduleStatus;
import dev.bridle.schedule.v1.UpdateScheduleRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;

/** Schedules, an extension of this server. */
final class ScheduleService extends ScheduleServiceGrpc.ScheduleServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final ScheduleStore schedules;
  private final ScheduleRules rules;
  private final ScheduleEvents events;
  private final Pages pages;

  ScheduleService(
      KeyValueStore store,
      Commands commands,
      WorkspaceStore workspaces,
      ScheduleStore schedules,
      ScheduleRules rules,
      ScheduleEvents events,
      Pages pages) {
    this.store = store;
    this.commands = commands;
    this.workspaces = workspaces;
    this.schedules = schedules;
    this.rules = rules;
    this.events = events;
    this.pages = pages;
  }

  @Override
  public void listSchedules(
      ListSchedulesRequest request, StreamObserver<ListSchedulesResponse> response) {
    Caller caller = Caller.current();
    Pages.Page<ScheduleRecord> page = store.read(tr -> page(tr, caller, request));
    ListSchedulesResponse.Builder list = ListSchedulesResponse.newBuilder().setPage(page.info());
    page.rows().forEach(record -> list.addData(record.getSchedule()));
    Replies.send(response, list.build());
  }

  private Pages.Page<ScheduleRecord> page(
      ReadTransaction tr, Caller caller, ListSchedulesRequest request) {
    if (request.hasWorkspaceId()
        && workspaces.find(tr, caller, request.getWorkspaceId()).isEmpty()) {
      return Pages.Page.none();
    }
    int index = request.hasWorkspaceId() ? ScheduleStore.WORKSPACE : ScheduleStore.ALL;
    return pages.read(
        tr,
        schedules.records(),
        Pages.Ask.of(request, index, request.getWorkspaceId(), true),
        record ->
            ScheduleStore.lives(record) && caller.reaches(record.getSchedule().getWorkspaceId()));
  }

  @Override
  public void createSchedule(CreateScheduleRequest request, StreamObserver<Schedule> response) {
    Caller caller = Caller.current();
    ScheduleRules.needMaker(caller);
    Schedule made =
        commands.run(
            request,
            "",
            write -> workspaces.referenced(write.tr(), caller, request.getWorkspaceId()).getId(),
            write -> create(write, caller, request),
            Schedule.getDefaultInstance());
    Replies.send(response, made);
  }

  private Schedule create(Write write, Caller caller, CreateScheduleRequest request) {
    Schedule.Builder made =
        Members.made(write, write.id("schedule"), request, Schedule.getDefaultInstance())
            .toBuilder();
    if (made.getTimeZone().isEmpty()) {
      made.setTimeZone("UTC");
    }
    if (made.getMissed() == MissedRuns.MISSED_RUNS_UNSPECIFIED) {
      made.setMissed(MissedRuns.MISSED_RUNS_SKIP);
    }
    rules.check(write, caller, made.build());
    rules.needRoom(write, schedules);
    ScheduleRecord record =
        NextRun.at(made.build(), Optional.of(ScheduleRules.first(write, made.build())));
    schedules.insert(write, record);
    events.tell(
        write,
        record.getSchedule(),
        EventKinds.SCHEDULE_CREATED,
        Members.told(record.getSchedule()));
    return record.getSchedule();
  }

  @Override
  public void getSchedule(GetScheduleRequest request, StreamObserver<Schedule> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(tr -> schedules.need(tr, caller, request.getScheduleId())).getSchedule());
  }

  @Override
  public void updateSchedule(UpdateScheduleRequest request, StreamObserver<Schedule> response) {
    Caller caller = Caller.current();
    ScheduleRules.needMaker(caller);
    Replies.send(
        response,
        on(
            request,
            request.getScheduleId(),
            (write, before) -> update(write, caller, before, request),
            Schedule.getDefaultInstance()));
  }

  private Schedule update(
      Write write, Caller caller, ScheduleRecord before, UpdateScheduleRequest request) {
    return Members.changed(write, before.getSchedule(), request, request.getUpdateMask())
        .map(
            change -> {
              rules.check(write, caller, change.resource());
              return store(write, before, timed(write, before, change.resource()), change.told());
            })
        .orElseGet(before::getSchedule);
  }

  /** Gives a schedule whose times are others another next run, but not one that is paused. */
  private static ScheduleRecord timed(Write write, ScheduleRecord before, Schedule schedule) {
    if (times(before.getSchedule()).equals(times(schedule))) {
      return before.toBuilder().setSchedule(schedule).build();
    }
    Instant first = ScheduleRules.first(write, schedule);
    return schedule.getStatus() == ScheduleStatus.SCHEDULE_STATUS_PAUSED
        ? NextRun.never(schedule, schedule.getStatus())
        : NextRun.at(schedule, Optional.of(first));
  }

  /** Returns a schedule with nothing but what says when it runs. */
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

  @Override
  public void pauseSchedule(PauseScheduleRequest request, StreamObserver<Schedule> response) {
    ScheduleStatus paused = ScheduleStatus.SCHEDULE_STATUS_PAUSED;
    Replies.send(
        response,
        on(
            request,
            request.getScheduleId(),
            (write, before) ->
                stand(write, before, paused, NextRun.never(touched(write, before), paused)),
            Schedule.getDefaultInstance()));
  }

  @Override
  public void resumeSchedule(ResumeScheduleRequest request, StreamObserver<Schedule> response) {
    ScheduleRules.needMaker(Caller.current());
    Replies.send(
        response,
        on(
            request,
            request.getScheduleId(),
            (write, before) ->
                stand(
                    write,
                    before,
                    ScheduleStatus.SCHEDULE_STATUS_ACTIVE,
                    NextRun.at(touched(write, before), resumed(write, before.getSchedule()))),
            Schedule.getDefaultInstance()));
  }

  /** Returns when a schedule that was paused runs next; a single time may be one that is missed. */
  private static Optional<Instant> resumed(Write write, Schedule schedule) {
    return RunTimes.of(schedule)
        .after(schedule.hasAt() ? Instant.MIN : Instant.ofEpochMilli(write.nowMillis()));
  }

  private Schedule stand(
      Write write, ScheduleRecord before, ScheduleStatus status, ScheduleRecord after) {
    if (before.getSchedule().getStatus() == ScheduleStatus.SCHEDULE_STATUS_DONE) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION,
          "The schedule is done; give it another time to have it run again.");
    }
    return before.getSchedule().getStatus() == status
        ? before.getSchedule()
        : store(write, before, after, Payload.of().text("status", ScheduleEvents.spell(status)));
  }

  @Override
  public void deleteSchedule(
      DeleteScheduleRequest request, StreamObserver<DeleteScheduleResponse> response) {
    Replies.send(
        response,
        on(
            request,
            request.getScheduleId(),
            this::delete,
            DeleteScheduleResponse.getDefaultInstance()));
  }

  private DeleteScheduleResponse delete(Write write, ScheduleRecord before) {
    Schedule schedule = before.getSchedule();
    schedules.update(
        write,
        before,
        ScheduleRecord.newBuilder()
            .setSchedule(
                Schedule.newBuilder()
                    .setId(schedule.getId())
                    .setWorkspaceId(schedule.getWorkspaceId()))
            .setDeletedAt(write.nowMillis())
            .build());
    events.tell(write, schedule, EventKinds.SCHEDULE_DELETED, Payload.of());
    return DeleteScheduleResponse.getDefaultInstance();
  }

  private Schedule store(Write write, ScheduleRecord before, ScheduleRecord after, Payload told) {
    schedules.update(write, before, after);
    events.tell(write, after.getSchedule(), EventKinds.SCHEDULE_UPDATED, told);
    return after.getSchedule();
  }

  private static Schedule touched(Write write, ScheduleRecord before) {
    return before.getSchedule().toBuilder()
        .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
        .build();
  }

  private <R extends Message> R on(
      Message request, String id, BiFunction<Write, ScheduleRecord, R> work, R prototype) {
    Caller caller = Caller.current();
    return commands.run(
        request,
        id,
        write -> schedules.ever(write.tr(), caller, id).getSchedule().getWorkspaceId(),
        write -> work.apply(write, schedules.need(write.tr(), caller, id)),
        prototype);
  }
}
