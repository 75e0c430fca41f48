package dev.bridle.core.integrations.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.FieldMask;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.work.persona.SamplePersonas;
import dev.bridle.event.v1.Event;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.schedule.v1.CreateScheduleRequest;
import dev.bridle.schedule.v1.MissedRuns;
import dev.bridle.schedule.v1.PauseScheduleRequest;
import dev.bridle.schedule.v1.ResumeScheduleRequest;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.schedule.v1.ScheduleStatus;
import dev.bridle.schedule.v1.UpdateScheduleRequest;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.workspace.v1.UpdateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes over one store run the same schedules. */
class ScheduleRunsTest {
  private static final int SCHEDULES = 20;
  private static final int RUNS = 10;

  @TempDir Path directory;
  private final SetClock clock = new SetClock("2026-11-21T10:00:30Z");
  private KeyValueStore store;
  private CoreOver one;
  private CoreOver two;
  private Channel ada;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    one = CoreOver.start(store, clock);
    two = CoreOver.start(store, clock);
    ada = two.of("default");
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    try {
      StoredData.assertSound(store);
    } finally {
      store.close();
    }
  }

  @Test
  void eachDueTimeOfEachScheduleMakesOneTask() {
    String session = SampleSchedules.session(ada);
    Set<String> expected = new HashSet<>();
    List<Schedule> schedules = new ArrayList<>();
    for (int i = 0; i < SCHEDULES; i++) {
      schedules.add(
          SampleSchedules.made(ada, SampleSchedules.cron("* * * * *").setTargetSessionId(session)));
    }
    for (int run = 1; run <= RUNS; run++) {
      Instant due = Instant.parse("2026-11-21T10:00:00Z").plus(Duration.ofMinutes(run));
      schedules.forEach(
          schedule ->
              expected.add(
                  "{\"schedule_id\":\"%s\",\"due_at\":\"%s\"}".formatted(schedule.getId(), due)));
      clock.set(due.plusSeconds(run));
      await().until(() -> SampleSchedules.tasks(ada).size() >= expected.size());
    }

    assertThat(SampleSchedules.tasks(ada))
        .extracting(task -> task.getMetadata().toStringUtf8())
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void aSingleTimeMakesOneTaskAndIsDone() {
    Schedule schedule = SampleSchedules.made(ada, SampleSchedules.at("2026-11-21T10:05:00Z"));

    clock.set("2026-11-21T10:05:59Z");
    Schedule done = settled(schedule);

    assertThat(done.getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_DONE);
    assertThat(done.hasNextRunAt()).isFalse();
    assertThat(done.getLastRunAt()).isEqualTo(SampleSchedules.time("2026-11-21T10:05:59Z"));
    assertThat(done.getUpdatedAt()).isEqualTo(schedule.getUpdatedAt());
    List<Task> tasks = SampleSchedules.tasks(ada);
    assertThat(tasks).hasSize(1);
    assertThat(tasks.get(0).getId()).isEqualTo(done.getLastTaskId());
    assertThat(tasks.get(0).getCreatedBy()).isEqualTo(schedule.getId());
    assertThat(tasks.get(0).getMetadata().toStringUtf8())
        .isEqualTo(
            "{\"schedule_id\":\"%s\",\"due_at\":\"2026-11-21T10:05:00Z\"}"
                .formatted(schedule.getId()));
    assertThat(SampleSchedules.kinds(ada, schedule)).containsExactly("created", "run");
  }

  @Test
  void missedRunsAreSkippedAndTold() {
    Schedule schedule = SampleSchedules.made(ada, SampleSchedules.cron("*/5 * * * *"));

    clock.set("2026-11-21T10:32:00Z");
    await().until(() -> SampleSchedules.kinds(ada, schedule).contains("missed"));

    assertThat(SampleSchedules.tasks(ada)).isEmpty();
    assertThat(payload(schedule, "missed"))
        .isEqualTo("{\"due_at\":\"2026-11-21T10:05:00Z\",\"missed\":6}");
    assertThat(SampleSchedules.get(ada, schedule).getNextRunAt())
        .isEqualTo(SampleSchedules.time("2026-11-21T10:35:00Z"));
  }

  @Test
  void aClockThatWasAheadAndIsSetBackLeavesNoScheduleWaiting() {
    Schedule schedule = SampleSchedules.made(ada, SampleSchedules.cron("*/5 * * * *"));
    clock.set("2026-11-24T10:02:00Z");
    await().until(() -> SampleSchedules.kinds(ada, schedule).contains("missed"));
    assertThat(SampleSchedules.get(ada, schedule).getNextRunAt())
        .isEqualTo(SampleSchedules.time("2026-11-24T10:05:00Z"));

    clock.set("2026-11-21T10:02:00Z");

    await()
        .until(
            () ->
                SampleSchedules.get(ada, schedule)
                    .getNextRunAt()
                    .equals(SampleSchedules.time("2026-11-21T10:05:00Z")));
    clock.set("2026-11-21T10:05:01Z");
    settled(schedule);
    assertThat(SampleSchedules.tasks(ada)).hasSize(1);
  }

  @Test
  void theRunThatIsStillInTimeIsMadeAfterMissedOnes() {
    Schedule schedule = SampleSchedules.made(ada, SampleSchedules.cron("*/5 * * * *"));

    clock.set("2026-11-21T10:30:20Z");
    settled(schedule);

    assertThat(payload(schedule, "missed"))
        .isEqualTo("{\"due_at\":\"2026-11-21T10:05:00Z\",\"missed\":5}");
    assertThat(SampleSchedules.tasks(ada))
        .singleElement()
        .satisfies(
            task -> assertThat(task.getMetadata().toStringUtf8()).contains("2026-11-21T10:30:00Z"));
  }

  @Test
  void missedRunsAreOneTaskWhereTheScheduleSaysSo() {
    Schedule schedule =
        SampleSchedules.made(
            ada, SampleSchedules.cron("* * * * *").setMissed(MissedRuns.MISSED_RUNS_ONCE));

    clock.set("2026-12-21T10:00:59.999Z");
    await()
        .until(
            () ->
                SampleSchedules.get(ada, schedule)
                    .getNextRunAt()
                    .equals(SampleSchedules.time("2026-12-21T10:01:00Z")));

    assertThat(payload(schedule, "missed"))
        .isEqualTo("{\"due_at\":\"2026-11-21T10:01:00Z\",\"missed\":1000,\"or_more\":true}");
    assertThat(SampleSchedules.kinds(ada, schedule))
        .containsExactly("created", "missed", "run", "run");
    assertThat(SampleSchedules.tasks(ada))
        .extracting(task -> task.getMetadata().toStringUtf8().replaceAll(".*due_at", ""))
        .containsExactly("\":\"2026-12-21T10:00:00Z\"}", "\":\"2026-11-21T10:01:00Z\"}");
  }

  @Test
  void aSingleTimeThatIsMissedIsDoneWithoutATask() {
    Schedule schedule = SampleSchedules.made(ada, SampleSchedules.at("2026-11-21T10:05:00Z"));

    clock.set("2026-11-21T10:06:00.001Z");
    await()
        .until(
            () ->
                SampleSchedules.get(ada, schedule).getStatus()
                    == ScheduleStatus.SCHEDULE_STATUS_DONE);

    assertThat(SampleSchedules.tasks(ada)).isEmpty();
    assertThat(SampleSchedules.kinds(ada, schedule)).containsExactly("created", "missed");
  }

  @Test
  void aSingleTimeThatFellIntoAPauseIsMissed() {
    Schedule schedule =
        SampleSchedules.made(
            ada, SampleSchedules.at("2026-11-21T10:05:00Z").setMissed(MissedRuns.MISSED_RUNS_ONCE));
    var schedules = ScheduleServiceGrpc.newBlockingStub(ada);
    var unusedPaused =
        schedules.pauseSchedule(
            PauseScheduleRequest.newBuilder().setScheduleId(schedule.getId()).build());
    clock.set("2026-11-21T11:00:00Z");
    var unusedResumed =
        schedules.resumeSchedule(
            ResumeScheduleRequest.newBuilder().setScheduleId(schedule.getId()).build());

    settled(schedule);

    assertThat(SampleSchedules.tasks(ada)).hasSize(1);
    assertThat(SampleSchedules.kinds(ada, schedule))
        .containsExactly("created", "updated", "updated", "missed", "run");
  }

  @Test
  void aRunThatFailsIsToldAndTheNextOneComes() {
    String session = SampleSchedules.session(ada);
    Schedule schedule =
        SampleSchedules.made(ada, SampleSchedules.cron("* * * * *").setTargetSessionId(session));
    var unusedClosed =
        SessionServiceGrpc.newBlockingStub(ada)
            .closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());

    clock.set("2026-11-21T10:01:00Z");
    Schedule failed =
        await().until(() -> SampleSchedules.get(ada, schedule), found -> found.hasLastFailure());

    assertThat(failed.getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_ACTIVE);
    assertThat(failed.getNextRunAt()).isEqualTo(SampleSchedules.time("2026-11-21T10:02:00Z"));
    assertThat(failed.getLastFailure().getCode()).isEqualTo("conflict");
    assertThat(payload(schedule, "failed"))
        .contains("\"due_at\":\"2026-11-21T10:01:00Z\",\"code\":\"conflict\"");
    var unusedChanged =
        ScheduleServiceGrpc.newBlockingStub(ada)
            .updateSchedule(
                UpdateScheduleRequest.newBuilder()
                    .setScheduleId(schedule.getId())
                    .setUpdateMask(FieldMask.newBuilder().addPaths("target_session_id"))
                    .build());
    clock.set("2026-11-21T10:02:00Z");
    assertThat(settled(schedule).hasLastFailure()).isFalse();
    assertThat(SampleSchedules.tasks(ada)).hasSize(1);
  }

  @Test
  void aRunIsHeldToThePersonaThatItsSessionHasThen() {
    String limit = SamplePersonas.made(ada, AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
    String free = SamplePersonas.made(ada, AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
    CreateScheduleRequest.Builder described =
        SampleSchedules.cron("* * * * *")
            .setTargetSessionId(SamplePersonas.session(ada, limit))
            .setTargetPersonaId(free);
    Channel client =
        two.as(
            two.core()
                .processCredential(
                    "default", "bea", Set.of("schedules:write", "sessions:write", "tasks:write")));
    Schedule bound = SampleSchedules.made(client, described);
    Schedule lifted = SampleSchedules.made(ada, described);
    SamplePersonas.change(ada, limit, AutonomyTier.AUTONOMY_TIER_SUGGEST);

    clock.set("2026-11-21T10:01:00Z");
    Schedule failed =
        await().until(() -> SampleSchedules.get(ada, bound), found -> found.hasLastFailure());

    assertThat(failed.getLastFailure().getCode()).isEqualTo("permission_denied");
    assertThat(settled(lifted).hasLastFailure()).isFalse();
    SamplePersonas.change(ada, limit, AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
    clock.set("2026-11-21T10:02:00Z");
    assertThat(settled(bound).hasLastFailure()).isFalse();
  }

  @Test
  void aSingleTimeThatMeetsAQuotaIsTriedAgain() {
    String quota =
        QuotaServiceGrpc.newBlockingStub(ada)
            .createQuota(
                CreateQuotaRequest.newBuilder()
                    .setScope(QuotaScope.QUOTA_SCOPE_WORKSPACE)
                    .putLimits("concurrency", 1)
                    .build())
            .getId();
    var unusedBound =
        WorkspaceServiceGrpc.newBlockingStub(ada)
            .updateWorkspace(
                UpdateWorkspaceRequest.newBuilder()
                    .setWorkspaceId("default")
                    .setQuotaId(quota)
                    .setUpdateMask(FieldMask.newBuilder().addPaths("quota_id"))
                    .build());
    Schedule first = SampleSchedules.made(ada, SampleSchedules.at("2026-11-21T10:00:30Z"));
    settled(first);
    Schedule schedule = SampleSchedules.made(ada, SampleSchedules.at("2026-11-21T10:01:00Z"));

    clock.set("2026-11-21T10:01:00Z");
    Schedule waits =
        await().until(() -> SampleSchedules.get(ada, schedule), found -> found.hasLastFailure());
    assertThat(waits.getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_ACTIVE);
    assertThat(payload(schedule, "failed")).contains("rate_limited", "\"again_at\":\"2026-11-21T1");
    var unusedCanceled =
        TaskServiceGrpc.newBlockingStub(ada)
            .cancelTask(
                CancelTaskRequest.newBuilder()
                    .setTaskId(SampleSchedules.get(ada, first).getLastTaskId())
                    .build());
    clock.set("2026-11-21T11:01:00Z");
    Schedule done = settled(schedule);

    assertThat(done.getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_DONE);
    assertThat(done.hasLastFailure()).isFalse();
    assertThat(SampleSchedules.kinds(ada, schedule)).containsExactly("created", "failed", "run");
  }

  @Test
  void aScheduleRunsWhereItsFirstProcessIsGone() {
    Schedule schedule =
        SampleSchedules.made(one.of("default"), SampleSchedules.at("2026-11-21T10:05:00Z"));
    one.close();

    clock.set("2026-11-21T10:05:00Z");

    assertThat(settled(schedule).getStatus()).isEqualTo(ScheduleStatus.SCHEDULE_STATUS_DONE);
    assertThat(SampleSchedules.tasks(ada)).hasSize(1);
  }

  private Schedule settled(Schedule schedule) {
    return await().until(() -> SampleSchedules.get(ada, schedule), found -> found.hasLastTaskId());
  }

  private String payload(Schedule schedule, String kind) {
    return SampleSchedules.events(ada, schedule).stream()
        .filter(event -> event.getEvent().equals("vendor.bridle.schedule_" + kind))
        .findFirst()
        .map(Event::getPayload)
        .orElseThrow()
        .toStringUtf8();
  }
}
