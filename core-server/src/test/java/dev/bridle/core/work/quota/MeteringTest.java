package dev.bridle.core.work.quota;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.event.v1.Event;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.GetQuotaRequest;
import dev.bridle.quota.v1.Quota;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.quota.v1.QuotaServiceGrpc.QuotaServiceBlockingStub;
import dev.bridle.storage.layer.EventId;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UsageReport;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MeteringTest extends LeasedTasks {
  private static final String CONCURRENCY = "concurrency";

  @Test
  void ofManySubmissionsAtOnceExactlyAsManyGoThroughAsThereIsRoomFor() {
    int room = 13;
    String quota = ofTenant("tasks", room);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<CompletableFuture<Boolean>> tried =
          IntStream.range(0, 40)
              .mapToObj(i -> CompletableFuture.supplyAsync(this::submitted, threads))
              .toList();
      assertThat(tried.stream().filter(CompletableFuture::join)).hasSize(room);
    } finally {
      threads.shutdownNow();
    }
    assertThat(used(quota, "tasks")).isEqualTo(room);
  }

  private boolean submitted() {
    try {
      var unused = core.submit(session);
      return true;
    } catch (StatusRuntimeException e) {
      assertRefused(
          ErrorCode.ERROR_CODE_POLICY_VIOLATION,
          "",
          () -> {
            throw e;
          });
      return false;
    }
  }

  @Test
  void everyWayToEndMakesRoom() {
    String quota = ofTenant(CONCURRENCY, 3);
    TaskLease completed = lease(core.submit(session));
    complete(completed);
    TaskLease failed = lease(core.submit(session));
    var unused = core.workers().failTask(TestCore.failure(failed, false));
    Task canceled = core.submit(session);
    var ignored =
        core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(canceled.getId()).build());

    assertThat(used(quota, CONCURRENCY)).isZero();
    Task open = core.submit(session);
    assertThat(open.getQuotaId()).isEqualTo(quota);
    assertThat(used(quota, CONCURRENCY)).isEqualTo(1);
  }

  @Test
  void aTaskForWhichNothingIsLeftEndsBeforeAnyWorkerGetsIt() {
    ofTenant("tokens", 10);
    TaskLease lease = lease(core.submit(session));
    Task second = core.submit(session);
    use(lease, "u", UsageReport.newBuilder().setInputTokens(4).setOutputTokens(6));
    complete(lease);

    worker.want(1);

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> core.task(second.getId()).getStatus() == TaskStatus.TASK_STATUS_FAILED);
    Task failed = core.task(second.getId());
    assertThat(failed.getFailure().getCode()).isEqualTo("quota_exceeded");
    assertThat(failed.hasStartedAt()).isFalse();
  }

  @Test
  void tasksThatAClaimMayNotBeginEndInTransactionsOfTheirOwn() {
    ofTenant("tokens", 10);
    TaskLease lease = lease(core.submit(session));
    List<Task> queued = List.of(core.submit(session), core.submit(session));
    use(lease, "u", UsageReport.newBuilder().setInputTokens(4).setOutputTokens(6));
    complete(lease);

    worker.want(2);

    await()
        .until(
            () ->
                queued.stream()
                    .allMatch(
                        task ->
                            core.task(task.getId()).getStatus() == TaskStatus.TASK_STATUS_FAILED));
    assertThat(queued.stream().map(this::versionOfEnding).distinct()).hasSize(2);
  }

  private long versionOfEnding(Task task) {
    List<Event> events = core.eventsOf(task.getId());
    return EventId.parse(events.get(events.size() - 1).getId()).orElseThrow().commitVersion();
  }

  @Test
  void aReportThatComesAgainCountsOnce() {
    String quota = ofTenant("money", 1);
    TaskLease lease = lease(core.submit(session));
    UsageReport.Builder usage = UsageReport.newBuilder().setCostMicros(250_000);

    use(lease, "u", usage);
    use(lease, "u", usage);

    assertThat(used(quota, "money")).isEqualTo(0.25);
    assertThat(core.kindsOf(lease.getTask().getId()))
        .containsOnlyOnce("vendor.bridle.usage_recorded");
  }

  @Test
  void aWorkerWhoseTaskWentBeyondItsQuotaHasLostIt() {
    ofTenant("money", 1);
    TaskLease lease = lease(core.submit(session));

    use(lease, "u", UsageReport.newBuilder().setCostMicros(1_000_001));

    assertThat(core.task(lease.getTask().getId()).getFailure().getDetails().toStringUtf8())
        .contains("\"limit\":\"money\"", "\"used\":1.000001");
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_LOCKED, "", () -> complete(lease));
  }

  @Test
  void aTaskThatRunsLongerThanItsQuotaAllowsEnds() {
    String quota = ofTenant("wall_time_seconds", 0.5);
    TaskLease lease = lease(core.submit(session));
    String task = lease.getTask().getId();

    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              beat(lease);
              return core.task(task).getStatus() == TaskStatus.TASK_STATUS_FAILED;
            });

    assertThat(core.task(task).getFailure().getCode()).isEqualTo("quota_exceeded");
    assertThat(used(quota, "wall_time_seconds")).isGreaterThan(0.5);
  }

  @Test
  void whatAPersonaAllowsCountsOnceForEachRunThatAsks() {
    String persona = persona(AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
    String quota = ofTenant("tool_calls", 2);
    TaskLease lease = lease(submitAs(persona));
    RequestPermissionResponse first = ask(lease);
    assertThat(first.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    assertThat(ask(lease)).as("asked twice, as after a lost answer").isEqualTo(first);
    assertThat(used(quota, "tool_calls")).isEqualTo(1);

    var unused = core.workers().failTask(TestCore.failure(lease, true));
    TaskLease again = next(lease.getTask().getId());
    assertThat(ask(again)).isEqualTo(first);
    assertThat(used(quota, "tool_calls")).isEqualTo(2);

    RequestPermissionResponse ended = ask(again, "another");
    assertThat(ended.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    assertThat(ended.getRequestId()).isEmpty();
    assertThat(ask(again, "another")).as("asked twice, as after a lost answer").isEqualTo(ended);
    assertThat(core.task(lease.getTask().getId()).getFailure().getCode())
        .isEqualTo("quota_exceeded");
  }

  @Test
  void whatAPersonaOnlyWatchesCountsAsNothing() {
    String persona = persona(AutonomyTier.AUTONOMY_TIER_SHADOW);
    String quota = ofTenant("tool_calls", 1);
    TaskLease lease = lease(submitAs(persona));

    RequestPermissionResponse shadowed = ask(lease);

    assertThat(shadowed.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_SHADOWED);
    assertThat(ask(lease)).isEqualTo(shadowed);
    assertThat(core.kindsOf(lease.getTask().getId()))
        .containsOnlyOnce("vendor.bridle.action_shadowed");
    assertThat(used(quota, "tool_calls")).isZero();
  }

  @Test
  void aTenantHasOnlySoManyQuotasThatBindAll() {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < BoundQuotas.MAX_OF_TENANT; i++) {
      made.add(ofTenant("tasks", 100));
    }

    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> ofTenant("tasks", 100));
    var unused = core.submit(session);
    assertThat(made).allSatisfy(quota -> assertThat(used(quota, "tasks")).isEqualTo(1));
  }

  private String ofTenant(String limit, double ceiling) {
    return quotas()
        .createQuota(
            CreateQuotaRequest.newBuilder()
                .setScope(QuotaScope.QUOTA_SCOPE_TENANT)
                .putLimits(limit, ceiling)
                .build())
        .getId();
  }

  private double used(String quota, String limit) {
    Quota read = quotas().getQuota(GetQuotaRequest.newBuilder().setQuotaId(quota).build());
    return read.getUsageOrThrow(limit);
  }

  private QuotaServiceBlockingStub quotas() {
    return QuotaServiceGrpc.newBlockingStub(core.owner());
  }

  private String persona(AutonomyTier tier) {
    return PersonaServiceGrpc.newBlockingStub(core.owner())
        .createPersona(
            CreatePersonaRequest.newBuilder()
                .setName("Reviewer")
                .setVersion("1")
                .setEntryWorkflow("main")
                .setDescription("Reviews.")
                .setAutonomyTier(tier)
                .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_OPTIONAL)
                .build())
        .getId();
  }

  private Task submitAs(String persona) {
    return core.tasks()
        .submitSessionTask(TestCore.submission(session).toBuilder().setPersonaId(persona).build());
  }

  private TaskLease lease(Task task) {
    return next(task.getId());
  }

  private TaskLease next(String task) {
    worker.want(1);
    TaskLease lease = worker.lease();
    assertThat(lease.getTask().getId()).isEqualTo(task);
    return lease;
  }

  private void use(TaskLease lease, String step, UsageReport.Builder usage) {
    var unused =
        core.workers().reportStep(WorkerRequests.step(lease, step).setUsage(usage).build());
  }

  private RequestPermissionResponse ask(TaskLease lease) {
    return ask(lease, "act");
  }

  private RequestPermissionResponse ask(TaskLease lease, String step) {
    return core.workers()
        .requestPermission(
            WorkerRequests.permission(lease, step)
                .setAction(
                    AskedAction.newBuilder()
                        .setKind("command")
                        .setContent(ByteString.copyFromUtf8("{\"command\":\"ls\"}")))
                .build());
  }
}
