package dev.bridle.core.integrations.schedule;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.schedule.v1.CreateScheduleRequest;
import dev.bridle.schedule.v1.DeleteScheduleRequest;
import dev.bridle.schedule.v1.ListSchedulesRequest;
import dev.bridle.schedule.v1.MissedRuns;
import dev.bridle.schedule.v1.PauseScheduleRequest;
import dev.bridle.schedule.v1.ResumeScheduleRequest;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.schedule.v1.ScheduleServiceGrpc.ScheduleServiceBlockingStub;
import dev.bridle.schedule.v1.ScheduleStatus;
import dev.bridle.schedule.v1.UpdateScheduleRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduleServiceTest {
  private static final ErrorCode INVALID = ErrorCode.ERROR_CODE_INVALID_REQUEST;
  private static final ErrorCode ABSENT = ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND;
  private static final ErrorCode STATE = ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION;

  @TempDir Path directory;
  private final SetClock clock = new SetClock("2026-11-21T10:00:30Z");
  private KeyValueStore store;
  private CoreOver core;
  private Channel ada;
  private ScheduleServiceBlockingStub schedules;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock);
    ada = core.of("default");
    schedules = ScheduleServiceGrpc.newBlockingStub(ada);
  }

  @AfterEach
  void stop() {
    core.close();
    try {
      StoredData.assertSound(store);
    } finally {
      store.close();
    }
  }

  @Test
  void aScheduleIsReadAsItWasMadeAndListedWithItsWorkspace() {
    Schedule first = made(SampleSchedules.cron("0 9 * * *"));
    Schedule second =
        made(
            SampleSchedules.at("2026-12-24T18:00:00Z")
                .setTimeZone("Europe/Berlin")
                .setMissed(MissedRuns.MISSED_RUNS_ONCE));

    assertThat(first.getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_ACTIVE);
    assertThat(first.getTimeZone()).isEqualTo("UTC");
    assertThat(first.getMissed()).isEqualTo(MissedRuns.MISSED_RUNS_SKIP);
    assertThat(first.getNextRunAt()).isEqualTo(SampleSchedules.time("2026-11-22T09:00:00Z"));
    assertThat(second.getNextRunAt()).isEqualTo(second.getAt());
    assertThat(SampleSchedules.get(ada, second)).isEqualTo(second);
    assertThat(listed(ListSchedulesRequest.newBuilder().setWorkspaceId("default")))
        .containsExactly(second, first);
    assertThat(listed(ListSchedulesRequest.newBuilder())).containsExactly(second, first);
  }

  @Test
  void itsLifeIsToldInItsOwnStream() {
    Schedule schedule = made(SampleSchedules.cron("0 9 * * *"));
    pause(schedule);
    pause(schedule);
    resume(schedule);
    update(UpdateScheduleRequest.newBuilder().setText("Look again"), schedule, "text");
    delete(schedule);

    assertThat(SampleSchedules.kinds(ada, schedule))
        .containsExactly("created", "updated", "updated", "updated", "deleted");
  }

  @Test
  void timesThatNeverComeAreRefused() {
    refused("cron", SampleSchedules.cron("0 0 31 2 *"));
    refused("cron", SampleSchedules.cron("every day"));
    refused("cron", SampleSchedules.cron("0 9 * * *").clearCron());
    refused(
        "at",
        SampleSchedules.cron("0 9 * * *").setAt(SampleSchedules.time("2027-01-01T00:00:00Z")));
    refused("at", SampleSchedules.at("2026-11-21T09:59:00Z"));
    refused("time_zone", SampleSchedules.cron("0 9 * * *").setTimeZone("Berlin"));
    refused("text", SampleSchedules.cron("0 9 * * *").clearText());
  }

  @Test
  void itsTargetsAreThereAndOfItsWorkspace() {
    String elsewhere =
        WorkspaceServiceGrpc.newBlockingStub(ada)
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder()
                    .setName("elsewhere")
                    .setRoot("workspace://elsewhere")
                    .build())
            .getId();
    String session =
        SessionServiceGrpc.newBlockingStub(ada)
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(elsewhere).build())
            .getId();

    refused("target_session_id", SampleSchedules.cron("0 9 * * *").setTargetSessionId(session));
    absent("target_session_id", SampleSchedules.cron("0 9 * * *").setTargetSessionId("none"));
    absent("target_persona_id", SampleSchedules.cron("0 9 * * *").setTargetPersonaId("none"));
    absent("workspace_id", SampleSchedules.cron("0 9 * * *").setWorkspaceId("none"));
  }

  @Test
  void whoeverMakesOneMayMakeSessionsAndTasksItself() {
    Schedule schedule = made(SampleSchedules.cron("0 9 * * *"));
    ErrorCode denied = ErrorCode.ERROR_CODE_PERMISSION_DENIED;
    for (Set<String> scopes :
        List.of(
            Set.of("schedules:write", "sessions:write"),
            Set.of("schedules:write", "tasks:write"))) {
      var bob =
          ScheduleServiceGrpc.newBlockingStub(
              core.as(core.core().processCredential("default", "bob", scopes)));
      assertRefused(
          denied, "", () -> bob.createSchedule(SampleSchedules.cron("0 9 * * *").build()));
      assertRefused(
          denied,
          "",
          () ->
              bob.updateSchedule(
                  UpdateScheduleRequest.newBuilder()
                      .setScheduleId(schedule.getId())
                      .setText("mine")
                      .setUpdateMask(FieldMask.newBuilder().addPaths("text"))
                      .build()));
      assertRefused(
          denied,
          "",
          () ->
              bob.resumeSchedule(
                  ResumeScheduleRequest.newBuilder().setScheduleId(schedule.getId()).build()));
    }
    assertThat(SampleSchedules.get(ada, schedule)).isEqualTo(schedule);
  }

  @Test
  void aPausedScheduleHasNoRunAndAResumedOneItsNext() {
    Schedule schedule = made(SampleSchedules.cron("* * * * *"));

    Schedule paused = pause(schedule);
    assertThat(paused.getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_PAUSED);
    assertThat(paused.hasNextRunAt()).isFalse();
    clock.set("2026-11-21T12:30:10Z");
    Schedule resumed = resume(paused);

    assertThat(resumed.getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_ACTIVE);
    assertThat(resumed.getNextRunAt()).isEqualTo(SampleSchedules.time("2026-11-21T12:31:00Z"));
    assertThat(SampleSchedules.tasks(ada)).isEmpty();
  }

  @Test
  void anotherTimeIsAnotherNextRunAndOtherMembersLeaveIt() {
    Schedule schedule = made(SampleSchedules.cron("0 9 * * *"));

    Schedule said = update(UpdateScheduleRequest.newBuilder().setText("Hello"), schedule, "text");
    assertThat(said.getText()).isEqualTo("Hello");
    assertThat(said.getNextRunAt()).isEqualTo(schedule.getNextRunAt());
    Schedule moved =
        update(
            UpdateScheduleRequest.newBuilder().setTimeZone("Europe/Berlin"), schedule, "time_zone");
    assertThat(moved.getNextRunAt()).isEqualTo(SampleSchedules.time("2026-11-22T08:00:00Z"));
    Schedule single =
        update(
            UpdateScheduleRequest.newBuilder().setAt(SampleSchedules.time("2026-12-01T00:00:00Z")),
            schedule,
            "at",
            "cron");
    assertThat(single.hasCron()).isFalse();
    assertThat(single.getNextRunAt()).isEqualTo(single.getAt());
    assertRefused(
        INVALID, "cron", () -> update(UpdateScheduleRequest.newBuilder(), schedule, "at"));
    for (String member : List.of("text", "time_zone", "missed")) {
      assertRefused(
          INVALID, member, () -> update(UpdateScheduleRequest.newBuilder(), schedule, member));
    }
    assertThat(SampleSchedules.get(ada, schedule)).isEqualTo(single);
  }

  @Test
  void aPausedScheduleStaysSoWithAnotherTime() {
    Schedule schedule = made(SampleSchedules.cron("0 9 * * *"));
    pause(schedule);

    Schedule moved =
        update(UpdateScheduleRequest.newBuilder().setCron("0 8 * * *"), schedule, "cron");

    assertThat(moved.getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_PAUSED);
    assertThat(moved.hasNextRunAt()).isFalse();
    assertThat(resume(moved).getNextRunAt())
        .isEqualTo(SampleSchedules.time("2026-11-22T08:00:00Z"));
  }

  @Test
  void aScheduleThatIsDoneRunsAgainOnlyWithAnotherTime() {
    Schedule schedule = made(SampleSchedules.at("2026-11-21T10:00:30Z"));
    await().until(() -> SampleSchedules.get(ada, schedule).hasLastTaskId());

    assertRefused(STATE, "", () -> pause(schedule));
    assertRefused(STATE, "", () -> resume(schedule));
    Schedule again =
        update(
            UpdateScheduleRequest.newBuilder().setAt(SampleSchedules.time("2026-11-21T11:00:00Z")),
            schedule,
            "at");

    assertThat(again.getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_ACTIVE);
    assertThat(again.getNextRunAt()).isEqualTo(again.getAt());
  }

  @Test
  void aDeletedScheduleIsNotThere() {
    Schedule schedule = made(SampleSchedules.cron("* * * * *"));
    delete(schedule);

    assertRefused(ABSENT, "", () -> SampleSchedules.get(ada, schedule));
    assertRefused(ABSENT, "", () -> pause(schedule));
    assertRefused(ABSENT, "", () -> delete(schedule));
    assertThat(listed(ListSchedulesRequest.newBuilder())).isEmpty();
  }

  @Test
  void otherTenantsAndWorkspacesSeeNothingOfIt() {
    Schedule schedule = made(SampleSchedules.cron("0 9 * * *"));

    assertRefused(ABSENT, "", () -> SampleSchedules.get(core.of("other"), schedule));
  }

  private void refused(String param, CreateScheduleRequest.Builder described) {
    assertRefused(INVALID, param, () -> made(described));
  }

  private void absent(String param, CreateScheduleRequest.Builder described) {
    assertRefused(ABSENT, param, () -> made(described));
  }

  private List<Schedule> listed(ListSchedulesRequest.Builder ask) {
    return schedules.listSchedules(ask.build()).getDataList();
  }

  private Schedule made(CreateScheduleRequest.Builder described) {
    return SampleSchedules.made(ada, described);
  }

  private Schedule update(
      UpdateScheduleRequest.Builder change, Schedule schedule, String... members) {
    return schedules.updateSchedule(
        change
            .setScheduleId(schedule.getId())
            .setUpdateMask(FieldMask.newBuilder().addAllPaths(List.of(members)))
            .build());
  }

  private Schedule pause(Schedule schedule) {
    return schedules.pauseSchedule(
        PauseScheduleRequest.newBuilder().setScheduleId(schedule.getId()).build());
  }

  private Schedule resume(Schedule schedule) {
    return schedules.resumeSchedule(
        ResumeScheduleRequest.newBuilder().setScheduleId(schedule.getId()).build());
  }

  private void delete(Schedule schedule) {
    var unused =
        schedules.deleteSchedule(
            DeleteScheduleRequest.newBuilder().setScheduleId(schedule.getId()).build());
  }
}
