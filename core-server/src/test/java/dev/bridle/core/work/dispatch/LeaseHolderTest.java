package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.Refusal;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.CheckRecordedValuesRequest;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.GetSessionStateRequest;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.LeaseStatus;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.ReadTranscriptRequest;
import dev.bridle.worker.v1.ReportDivergenceRequest;
import dev.bridle.worker.v1.ReportDivergenceResponse;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.SessionState;
import dev.bridle.worker.v1.SetSessionStateRequest;
import dev.bridle.worker.v1.TakeMessagesRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every rpc of the worker contract, about a task that another worker holds. The rpcs come from the
 * contract, so that a new one is asked for here.
 */
final class LeaseHolderTest {
  private static final long GUESSES = 20;

  /** They name no lease; what they may do depends on the workspaces of the credential. */
  private static final Set<String> WITHOUT_LEASE =
      Set.of("RegisterWorker", "UnregisterWorker", "LeaseTasks");

  /** Of tasks whose cancellation was requested, and of replays. */
  private static final Set<String> OF_OTHER_TASKS =
      Set.of("AcknowledgeCancel", "CompareSteps", "CheckRecordedValues");

  @TempDir static Path directory;
  private static TestCore core;
  private static String session;
  private static TestWorker worker;

  /** Makes a call about a lease, as a worker. */
  private interface Call {
    Object make(WorkerServiceGrpc.WorkerServiceBlockingStub worker, String task, long fence);
  }

  private static final Map<String, Call> CALLS =
      Map.ofEntries(
          call(
              "ReportStep",
              (worker, task, fence) ->
                  worker.reportStep(
                      ReportStepRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setStepKey("step")
                          .setProgress(ProgressReport.newBuilder().setText("half"))
                          .build())),
          call(
              "ListSteps",
              (worker, task, fence) ->
                  worker.listSteps(
                      ListStepsRequest.newBuilder().setTaskId(task).setFence(fence).build())),
          call(
              "CheckRecordedValues",
              (worker, task, fence) ->
                  worker.checkRecordedValues(
                      CheckRecordedValuesRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setSourceTaskId(task)
                          .build())),
          call(
              "CompareSteps",
              (worker, task, fence) ->
                  worker.compareSteps(
                      CompareStepsRequest.newBuilder().setTaskId(task).setFence(fence).build())),
          call(
              "RequestInput",
              (worker, task, fence) ->
                  worker.requestInput(
                      RequestInputRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setStepKey("ask")
                          .setPrompt("How many?")
                          .build())),
          call(
              "RequestPermission",
              (worker, task, fence) -> worker.requestPermission(permission(task, fence))),
          call(
              "WithdrawQuestion",
              (worker, task, fence) ->
                  worker.withdrawQuestion(
                      WithdrawQuestionRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setStepKey("ask")
                          .build())),
          call(
              "ReportDivergence",
              (worker, task, fence) ->
                  divergence(
                      worker,
                      ReportDivergenceRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setStepKey("divergence")
                          .setQuestionStepKey("ask")
                          .build())),
          call(
              "UseSecret",
              (worker, task, fence) ->
                  worker.useSecret(
                      UseSecretRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setName("token")
                          .build())),
          call(
              "CompleteTask",
              (worker, task, fence) ->
                  worker.completeTask(
                      CompleteTaskRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setSummary("Done.")
                          .build())),
          call(
              "FailTask",
              (worker, task, fence) ->
                  worker.failTask(
                      FailTaskRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setFailure(
                              Failure.newBuilder().setCode("no_luck").setMessage("No luck."))
                          .build())),
          call(
              "AcknowledgeCancel",
              (worker, task, fence) ->
                  worker.acknowledgeCancel(
                      AcknowledgeCancelRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .build())),
          call(
              "TakeMessages",
              (worker, task, fence) ->
                  worker.takeMessages(
                      TakeMessagesRequest.newBuilder().setTaskId(task).setFence(fence).build())),
          call("Heartbeat", (worker, task, fence) -> beat(worker, task, fence)),
          call(
              "ReadTranscript",
              (worker, task, fence) ->
                  worker.readTranscript(
                      ReadTranscriptRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setLimit(1)
                          .build())),
          call(
              "GetSessionState",
              (worker, task, fence) ->
                  worker.getSessionState(
                      GetSessionStateRequest.newBuilder().setTaskId(task).setFence(fence).build())),
          call(
              "SetSessionState",
              (worker, task, fence) ->
                  worker.setSessionState(
                      SetSessionStateRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setState(SessionState.newBuilder().setRevision(1))
                          .build())));

  private static Map.Entry<String, Call> call(String name, Call call) {
    return Map.entry(name, call);
  }

  @BeforeAll
  static void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
    String vault = SampleVaults.made(core.owner(), "default").getId();
    SampleVaults.put(core.owner(), vault, "token", "swordfish-7");
    session = SampleVaults.session(core.owner(), vault);
    worker = new TestWorker(core.owner(), "", "w1");
  }

  @AfterAll
  static void stop() {
    core.close();
  }

  /** To the holder it says that nothing was allowed, which is an answer. */
  private static ReportDivergenceResponse divergence(
      WorkerServiceGrpc.WorkerServiceBlockingStub worker, ReportDivergenceRequest request) {
    try {
      return worker.reportDivergence(request);
    } catch (StatusRuntimeException e) {
      if (String.valueOf(e.getMessage()).contains("no such permission")) {
        return ReportDivergenceResponse.getDefaultInstance();
      }
      throw e;
    }
  }

  @Test
  void everyRpcAboutALeaseIsCalledHere() {
    assertThat(
            WorkerServiceGrpc.getServiceDescriptor().getMethods().stream()
                .map(MethodDescriptor::getBareMethodName)
                .filter(name -> !WITHOUT_LEASE.contains(name))
                .collect(Collectors.toSet()))
        .isEqualTo(CALLS.keySet());
  }

  @TestFactory
  Stream<DynamicTest> anotherActorIsRefusedThoughItKnowsTheFence() {
    Channel foreign = core.as("another", List.of("workers:lease"), List.of());
    return CALLS.keySet().stream()
        .map(rpc -> DynamicTest.dynamicTest(rpc, () -> refusedAsForNoLease(rpc, foreign)));
  }

  @TestFactory
  Stream<DynamicTest> theSameActorIsRefusedWithoutTheFence() {
    return CALLS.keySet().stream()
        .map(rpc -> DynamicTest.dynamicTest(rpc, () -> refusedForGuesses(rpc)));
  }

  @TestFactory
  Stream<DynamicTest> anotherActorLearnsNothingOfATaskThatHasEnded() {
    Channel foreign = core.as("another", List.of("workers:lease"), List.of());
    TaskLease ended = leased();
    var unused = CALLS.get("CompleteTask").make(core.workers(), id(ended), ended.getFence());
    return CALLS.keySet().stream()
        .map(
            rpc ->
                DynamicTest.dynamicTest(
                    rpc, () -> refused(rpc, foreign, id(ended), ended.getFence())));
  }

  @TestFactory
  Stream<DynamicTest> theHolderIsAnswered() {
    return CALLS.keySet().stream()
        .filter(rpc -> !OF_OTHER_TASKS.contains(rpc))
        .map(
            rpc ->
                DynamicTest.dynamicTest(
                    rpc,
                    () -> {
                      TaskLease lease = leased();
                      assertThat(CALLS.get(rpc).make(core.workers(), id(lease), lease.getFence()))
                          .isNotNull();
                    }));
  }

  @Test
  void anotherActorGetsNoNoticeOfACancellationUnderTheSameWorkerId() {
    TaskLease lease = leased();
    TestWorker foreign =
        new TestWorker(core.as("another", List.of("workers:lease"), List.of()), "none", "w1");
    foreign.want(1);

    var unused =
        core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(id(lease)).build());

    assertThat(worker.cancel(Duration.ofSeconds(10))).isPresent();
    assertThat(foreign.cancel(Duration.ZERO)).isEmpty();
    foreign.close();
  }

  @Test
  void aFenceGrowsByAnAmountThatNobodyCanGuess() {
    long zeros = Fences.next(0, new byte[Long.BYTES]);
    byte[] random = {(byte) 0xf7, 6, 5, 4, 3, 2, 1, 0};

    assertThat(zeros).isEqualTo(1);
    assertThat(Fences.next(7, random)).isGreaterThan(1L << 40).isLessThan(1L << 46);
    assertThat(Fences.next(Long.MAX_VALUE - 10, random)).isGreaterThan(Long.MAX_VALUE - 10);
    assertThat(Fences.next(-5, random)).isPositive();
  }

  private static void refusedAsForNoLease(String rpc, Channel foreign) {
    TaskLease lease = leased();
    Task before = core.task(id(lease));
    int events = core.allEventsOf(id(lease)).size();

    refused(rpc, foreign, id(lease), lease.getFence());

    assertThat(core.task(id(lease))).isEqualTo(before);
    assertThat(core.allEventsOf(id(lease))).hasSize(events);
    assertThat(beat(core.workers(), id(lease), lease.getFence()).getState())
        .isEqualTo(LeaseState.LEASE_STATE_HELD);
  }

  private static void refusedForGuesses(String rpc) {
    TaskLease lease = leased();
    for (long fence = 0; fence < GUESSES; fence++) {
      refused(rpc, core.owner(), id(lease), fence);
    }
    assertThat(core.task(id(lease)).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
  }

  /** The answer to the right fence is the one to a fence that was never given. */
  private static void refused(String rpc, Channel caller, String task, long fence) {
    WorkerServiceGrpc.WorkerServiceBlockingStub stub = WorkerServiceGrpc.newBlockingStub(caller);
    Call call = CALLS.get(rpc);
    if (rpc.equals("Heartbeat")) {
      assertThat(call.make(stub, task, fence)).isEqualTo(call.make(stub, task, 1));
      assertThat(beat(stub, task, fence).getState()).isEqualTo(LeaseState.LEASE_STATE_FREE);
      return;
    }
    ErrorDetail answer = Refusal.of(() -> call.make(stub, task, fence));
    assertThat(answer.getCode()).isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_LOCKED);
    assertThat(masked(answer, fence))
        .isEqualTo(masked(Refusal.of(() -> call.make(stub, task, fence + 1)), fence + 1));
  }

  private static String masked(ErrorDetail answer, long fence) {
    return answer.toString().replace("" + fence, "FENCE");
  }

  private static TaskLease leased() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    assertThat(id(lease)).isEqualTo(task.getId());
    return lease;
  }

  private static String id(TaskLease lease) {
    return lease.getTask().getId();
  }

  private static LeaseStatus beat(
      WorkerServiceGrpc.WorkerServiceBlockingStub worker, String task, long fence) {
    return worker
        .heartbeat(
            HeartbeatRequest.newBuilder()
                .addLeases(HeldLease.newBuilder().setTaskId(task).setFence(fence))
                .build())
        .getStatuses(0);
  }

  private static RequestPermissionRequest permission(String task, long fence) {
    return RequestPermissionRequest.newBuilder()
        .setTaskId(task)
        .setFence(fence)
        .setStepKey("may")
        .setSource(PermissionSource.PERMISSION_SOURCE_ACP)
        .setPrompt("May I?")
        .setAction(
            AskedAction.newBuilder()
                .setKind("command")
                .setTool("shell")
                .setContent(ByteString.copyFromUtf8("{}")))
        .addOptions(
            PermissionOption.newBuilder()
                .setId("yes")
                .setName("yes")
                .setKind(PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE))
        .build();
  }
}
