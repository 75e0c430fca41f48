package dev.bridle.core.integrations.schedule;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.event.v1.ListEventsResponse;
import dev.bridle.schedule.v1.CreateScheduleRequest;
import dev.bridle.schedule.v1.GetScheduleRequest;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.ListTasksResponse;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Channel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Schedules of the workspace {@code default}, and what becomes of them. */
public final class SampleSchedules {
  private SampleSchedules() {}

  /** Describes a schedule that runs by a cron expression. */
  public static CreateScheduleRequest.Builder cron(String cron) {
    return described().setCron(cron);
  }

  /** Describes a schedule that runs once. */
  public static CreateScheduleRequest.Builder at(String time) {
    return described().setAt(time(time));
  }

  private static CreateScheduleRequest.Builder described() {
    return CreateScheduleRequest.newBuilder().setWorkspaceId("default").setText("Look around");
  }

  /** Makes a schedule. */
  public static Schedule made(Channel caller, CreateScheduleRequest.Builder described) {
    return ScheduleServiceGrpc.newBlockingStub(caller).createSchedule(described.build());
  }

  static Schedule get(Channel caller, Schedule schedule) {
    return ScheduleServiceGrpc.newBlockingStub(caller)
        .getSchedule(GetScheduleRequest.newBuilder().setScheduleId(schedule.getId()).build());
  }

  static Timestamp time(String time) {
    return Timestamps.fromMillis(Instant.parse(time).toEpochMilli());
  }

  static String session(Channel caller) {
    return SessionServiceGrpc.newBlockingStub(caller)
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
  }

  /** Returns all tasks, newest first. */
  static List<Task> tasks(Channel caller) {
    List<Task> all = new ArrayList<>();
    ListTasksRequest.Builder ask = ListTasksRequest.newBuilder().setLimit(200);
    boolean more = true;
    while (more) {
      ListTasksResponse page = TaskServiceGrpc.newBlockingStub(caller).listTasks(ask.build());
      all.addAll(page.getDataList());
      more = page.getPage().getHasMore();
      ask.setCursor(page.getPage().getNextCursor());
    }
    return all;
  }

  /** Returns the events of a schedule's own stream, oldest first. */
  static List<Event> events(Channel caller, Schedule schedule) {
    List<Event> all = new ArrayList<>();
    ListEventsRequest.Builder ask = ListEventsRequest.newBuilder().setLimit(200);
    boolean more = true;
    while (more) {
      ListEventsResponse page = EventServiceGrpc.newBlockingStub(caller).listEvents(ask.build());
      page.getDataList().stream()
          .filter(event -> event.getResource().getId().equals(schedule.getId()))
          .forEach(all::add);
      more = page.getPage().getHasMore();
      ask.setAfterEventId(page.getPage().getNextCursor());
    }
    return all;
  }

  static List<String> kinds(Channel caller, Schedule schedule) {
    return events(caller, schedule).stream()
        .map(event -> event.getEvent().replace("vendor.bridle.schedule_", ""))
        .toList();
  }
}
