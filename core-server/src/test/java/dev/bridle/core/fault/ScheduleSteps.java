package dev.bridle.core.fault;

import com.google.protobuf.FieldMask;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.schedule.v1.CreateScheduleRequest;
import dev.bridle.schedule.v1.DeleteScheduleRequest;
import dev.bridle.schedule.v1.GetScheduleRequest;
import dev.bridle.schedule.v1.MissedRuns;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.schedule.v1.UpdateScheduleRequest;

/** A schedule that submits tasks. */
final class ScheduleSteps {
  private ScheduleSteps() {}

  /** Makes a schedule of the session that runs when the world begins, missed or not. */
  static Schedule schedule(World world, String key) {
    CreateScheduleRequest request =
        CreateScheduleRequest.newBuilder()
            .setWorkspaceId("default")
            .setTargetSessionId(world.session())
            .setAt(world.began())
            .setMissed(MissedRuns.MISSED_RUNS_ONCE)
            .setText("Look around")
            .build();
    return world.callOnce(
        "schedule",
        key,
        channel -> ScheduleServiceGrpc.newBlockingStub(channel).createSchedule(request));
  }

  /** Lets time pass until a schedule has made another task, and returns that. */
  static String run(World world, String schedule, String before) {
    GetScheduleRequest request = GetScheduleRequest.newBuilder().setScheduleId(schedule).build();
    return world.timePassesUntil(
        task -> !task.equals(before),
        "look",
        channel ->
            ScheduleServiceGrpc.newBlockingStub(channel).getSchedule(request).getLastTaskId());
  }

  static void reschedule(World world, String schedule, String key) {
    UpdateScheduleRequest request =
        UpdateScheduleRequest.newBuilder()
            .setScheduleId(schedule)
            .setAt(Timestamps.add(world.now(), Durations.fromSeconds(5)))
            .setUpdateMask(FieldMask.newBuilder().addPaths("at"))
            .build();
    var unused =
        world.callOnce(
            "reschedule",
            key,
            channel -> ScheduleServiceGrpc.newBlockingStub(channel).updateSchedule(request));
  }

  static void unschedule(World world, String schedule, String key) {
    DeleteScheduleRequest request =
        DeleteScheduleRequest.newBuilder().setScheduleId(schedule).build();
    var unused =
        world.callOnce(
            "unschedule",
            key,
            channel -> ScheduleServiceGrpc.newBlockingStub(channel).deleteSchedule(request));
  }
}
