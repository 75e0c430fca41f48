package dev.bridle.core.work.report;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.work.dispatch.WorkerRequests.message;
import static dev.bridle.core.work.dispatch.WorkerRequests.note;
import static dev.bridle.core.work.dispatch.WorkerRequests.progress;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepResponse;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UsageReport;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What calls of workers carry ahead of their own work. */
class EarlierReportsTest extends LeasedTasks {
  private static final String PROGRESS = "vendor.bridle.progress";

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @Test
  void aLeaseSaysHowManyACallMayCarry() {
    assertThat(lease().getMaxEarlierReports()).isEqualTo(100);
  }

  @Test
  void theyAreAppliedInTheirOrderBeforeTheCallsOwnReport() {
    TaskLease lease = lease();
    ReportStepResponse response =
        report(
            lease, progress("p1"), message("m", "m"), value("v"), note("n", "{}"), progress("p2"));
    assertThat(response.getApplied()).isTrue();
    assertThat(response.getStep().hasArtifact()).isTrue();
    assertThat(core.kindsOf(lease.getTask().getId()))
        .containsExactly(
            "task.submitted",
            "task.started",
            PROGRESS,
            "agent.message",
            "vendor.bridle.dependency_recorded",
            "vendor.note",
            PROGRESS,
            "artifact.created");
    assertThat(events(lease, PROGRESS))
        .extracting(event -> event.getPayload().toStringUtf8())
        .containsExactly("{\"text\":\"p1\"}", "{\"text\":\"p2\"}");
    assertThat(steps(lease))
        .extracting(RecordedStep::getStepKey)
        .containsExactly("m", "n", "own", "p1", "p2", "v");
  }

  @Test
  void allEventsOfACallHaveItsTime() {
    TaskLease lease = lease();
    report(lease, progress("p1"), progress("p2"));
    assertThat(core.eventsOf(lease.getTask().getId()).stream().skip(2).map(Event::getCreatedAt))
        .hasSize(3)
        .containsOnly(events(lease, PROGRESS).get(0).getCreatedAt());
  }

  @Test
  void eachIsAppliedOnceHoweverTheCallsOverlap() {
    TaskLease lease = lease();
    ReportStepResponse first = report(lease, progress("p1"), progress("p2"));
    ReportStepResponse again = report(lease, progress("p1"), progress("p2"));
    assertThat(again).isEqualTo(first.toBuilder().setApplied(false).build());
    report(lease, progress("p2"), progress("p3"), progress("p3"));
    complete(lease, progress("p3"), progress("p4"), progress("p1"));
    complete(lease, progress("p3"), progress("p4"), progress("p1"));
    assertThat(events(lease, PROGRESS))
        .extracting(event -> event.getPayload().toStringUtf8())
        .containsExactly(
            "{\"text\":\"p1\"}", "{\"text\":\"p2\"}", "{\"text\":\"p3\"}", "{\"text\":\"p4\"}");
    assertThat(core.kindsOf(lease.getTask().getId())).containsOnlyOnce("artifact.created");
  }

  @Test
  void theyAreAppliedBeforeAQuestionAndItsRepetitionChangesNothing() {
    TaskLease lease = lease();
    var request = question(lease, 0).toBuilder().addEarlierReports(progress("p1")).build();
    assertThat(core.workers().requestInput(request).hasAnswer()).isFalse();
    assertThat(core.workers().requestInput(request).hasAnswer()).isFalse();
    assertThat(core.kindsOf(lease.getTask().getId()))
        .endsWith("task.started", PROGRESS, "task.input_required");
  }

  @Test
  void aCallWithoutALeaseThatIsNoRepetitionIsRejectedSinceItWouldLoseThem() {
    TaskLease lease = lease();
    var request = question(lease, 0).toBuilder().addEarlierReports(progress("p1")).build();
    var unused = core.workers().requestInput(request);
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
        "",
        () ->
            core.workers()
                .requestInput(request.toBuilder().addEarlierReports(progress("p2")).build()));
  }

  @Test
  void theyAreAppliedWithAnAnswerThatIsRecordedAlready() {
    TaskLease asking = lease();
    String task = asking.getTask().getId();
    var unused = core.workers().requestInput(question(asking, 0));
    var ignored = core.tasks().appendTaskMessage(TestCore.answer(task, "seven"));
    worker.want(1);
    TaskLease lease = worker.lease();
    var again = question(lease, 0).toBuilder().addEarlierReports(progress("p1")).build();
    assertThat(core.workers().requestInput(again).hasAnswer()).isTrue();
    assertThat(core.kindsOf(task)).endsWith(PROGRESS);
  }

  @Test
  void anAcknowledgedCancellationAndAFailureCarryThemToo() {
    TaskLease canceled = lease();
    cancel(canceled.getTask().getId());
    var unused =
        core.workers()
            .acknowledgeCancel(
                AcknowledgeCancelRequest.newBuilder()
                    .setTaskId(canceled.getTask().getId())
                    .setFence(canceled.getFence())
                    .addEarlierReports(progress("p1"))
                    .build());
    assertThat(core.kindsOf(canceled.getTask().getId())).endsWith(PROGRESS, "task.canceled");
    TaskLease failed = lease();
    var ignored =
        core.workers()
            .failTask(
                TestCore.failure(failed, false).toBuilder()
                    .addEarlierReports(progress("p1"))
                    .build());
    assertThat(core.kindsOf(failed.getTask().getId())).endsWith(PROGRESS, "task.failed");
  }

  @Test
  void nothingIsAppliedWhereOneOfThemIsRejected() {
    TaskLease lease = lease();
    StepReport bad =
        StepReport.newBuilder()
            .setStepKey("bad")
            .setEvent(EventReport.newBuilder().setEvent("task.completed").setPayload(json("{}")))
            .build();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "earlier_reports[1].event.event",
        () -> report(lease, progress("p1"), bad));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "earlier_reports[0].event.event",
        () -> complete(lease, bad));
    StepReport damaged =
        bad.toBuilder()
            .setEvent(EventReport.newBuilder().setEvent("vendor.a").setPayload(json("{")))
            .build();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "earlier_reports[0].event.payload",
        () -> complete(lease, damaged));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "earlier_reports[0].report",
        () -> complete(lease, StepReport.newBuilder().setStepKey("none").build()));
    assertThat(core.kindsOf(lease.getTask().getId())).endsWith("task.started");
    assertThat(core.task(lease.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_WORKING);
  }

  @Test
  void nothingIsAppliedWhereTheCallItselfIsRejected() {
    TaskLease lease = lease();
    var own =
        WorkerRequests.step(lease, "own")
            .setEvent(EventReport.newBuilder().setEvent("task.completed").setPayload(json("{}")))
            .addEarlierReports(progress("p1"))
            .build();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "event.event", () -> core.workers().reportStep(own));
    assertThat(core.kindsOf(lease.getTask().getId())).endsWith("task.started");
  }

  @Test
  void aKeyOfAnotherKindOfStepIsAConflict() {
    TaskLease lease = lease();
    report(lease, message("m", "m"));
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "earlier_reports[1].step_key",
        () -> complete(lease, progress("p1"), progress("m")));
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "earlier_reports[1].step_key",
        () -> complete(lease, progress("p1"), value("p1")));
    assertThat(core.kindsOf(lease.getTask().getId())).doesNotContain(PROGRESS);
  }

  @Test
  void moreThanAHundredOfThemAreRejected() {
    TaskLease lease = lease();
    StepReport[] most =
        IntStream.range(0, 101).mapToObj(n -> progress("p" + n)).toArray(StepReport[]::new);
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "earlier_reports", () -> report(lease, most));
    report(lease, List.of(most).subList(0, 100).toArray(StepReport[]::new));
    assertThat(events(lease, PROGRESS)).hasSize(100);
  }

  @Test
  void moreThanAMebibyteOfThemIsTooLarge() {
    TaskLease lease = lease();
    ByteString half = json("{\"text\":\"" + "x".repeat(1 << 19) + "\"}");
    StepReport[] two =
        IntStream.range(0, 2)
            .mapToObj(
                n ->
                    StepReport.newBuilder()
                        .setStepKey("n" + n)
                        .setEvent(EventReport.newBuilder().setEvent("vendor.n").setPayload(half))
                        .build())
            .toArray(StepReport[]::new);
    assertRefused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "earlier_reports", () -> report(lease, two));
    report(lease, two[0]);
    report(lease, "second", two[1]);
    assertThat(events(lease, "vendor.n")).hasSize(2);
  }

  @Test
  void aWorkerThatLostItsLeaseReportsNothing() {
    TaskLease lost = lease();
    fail(lost, true);
    worker.want(1);
    TaskLease lease = worker.lease();
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_LOCKED, "", () -> report(lost, progress("p1")));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
        "",
        () -> complete(lost.toBuilder().setFence(1).build(), progress("p1")));
    assertThat(core.kindsOf(lease.getTask().getId())).doesNotContain(PROGRESS);
  }

  @Test
  void usageBeyondAHardQuotaEndsTheTaskAndWhatFollowsIsNotApplied() {
    String quota =
        QuotaServiceGrpc.newBlockingStub(core.owner())
            .createQuota(
                CreateQuotaRequest.newBuilder()
                    .setScope(QuotaScope.QUOTA_SCOPE_TENANT)
                    .putLimits("tokens", 10)
                    .build())
            .getId();
    TaskLease lease = lease();
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
        "",
        () -> complete(lease, used("u1", 6), progress("p1"), used("u2", 6), progress("p2")));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_LOCKED, "", () -> complete(lease, progress("p2")));
    Task task = core.task(lease.getTask().getId());
    assertThat(task.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(task.getFailure().getCode()).isEqualTo("quota_exceeded");
    assertThat(task.getQuotaId()).isEqualTo(quota);
    assertThat(core.kindsOf(task.getId()))
        .containsOnlyOnce(PROGRESS)
        .filteredOn("vendor.bridle.usage_recorded"::equals)
        .hasSize(2);
  }

  private TaskLease lease() {
    var unused = core.submit(session);
    worker.want(1);
    return worker.lease();
  }

  private ReportStepResponse report(TaskLease lease, StepReport... earlier) {
    return report(lease, "own", earlier);
  }

  private ReportStepResponse report(TaskLease lease, String key, StepReport... earlier) {
    return core.workers()
        .reportStep(
            artifact(lease, key).toBuilder().addAllEarlierReports(List.of(earlier)).build());
  }

  private void complete(TaskLease lease, StepReport... earlier) {
    var unused =
        core.workers()
            .completeTask(
                WorkerRequests.complete(lease).addAllEarlierReports(List.of(earlier)).build());
  }

  private List<Event> events(TaskLease lease, String kind) {
    return core.eventsOf(lease.getTask().getId()).stream()
        .filter(event -> event.getEvent().equals(kind))
        .toList();
  }

  private static StepReport value(String key) {
    return StepReport.newBuilder()
        .setStepKey(key)
        .setDependency(DependencyReport.newBuilder().setValue(json("6")))
        .build();
  }

  private static StepReport used(String key, int tokens) {
    return StepReport.newBuilder()
        .setStepKey(key)
        .setUsage(UsageReport.newBuilder().setInputTokens(tokens))
        .build();
  }

  private static ByteString json(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
