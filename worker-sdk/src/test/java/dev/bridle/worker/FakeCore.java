package dev.bridle.worker;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.ToolResultPart;
import dev.bridle.message.v1.ToolResultStatus;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.AcknowledgeCancelResponse;
import dev.bridle.worker.v1.AskedPermission;
import dev.bridle.worker.v1.CancelNotice;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.CompleteTaskResponse;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.FailTaskResponse;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeartbeatResponse;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.HostToolTimedOut;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.LeaseStatus;
import dev.bridle.worker.v1.LeaseTasksRequest;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.PendingQuestion;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.RegisterWorkerResponse;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.ReportStepResponse;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A core in memory, as far as a worker can see it. Faults are ordered by the tests. */
final class FakeCore extends WorkerServiceGrpc.WorkerServiceImplBase {
  private static final Metadata.Key<ErrorDetail> DETAIL =
      Metadata.Key.of(
          "bridle-error-bin", ProtoUtils.metadataMarshaller(ErrorDetail.getDefaultInstance()));

  /** What the core knows of a task. */
  static final class Entry {
    final Task task;
    final Map<String, RecordedStep> steps = new TreeMap<>();
    final List<String> ends = new ArrayList<>();
    LeaseState state = LeaseState.LEASE_STATE_FREE;
    long fence;
    int attempt;
    boolean wantsAnswer;
    boolean cancelRequested;
    String question = "";
    PermissionVerdict verdict = PermissionVerdict.PERMISSION_VERDICT_WAITING;

    Entry(Task task) {
      this.task = task;
    }
  }

  private final Map<String, Entry> tasks = new LinkedHashMap<>();
  private final Deque<Entry> queue = new ArrayDeque<>();
  private final Deque<Entry> resumable = new ArrayDeque<>();
  private final Map<String, Integer> failures = new LinkedHashMap<>();
  private final Map<String, Integer> lostAnswers = new LinkedHashMap<>();
  private final List<String> calls = new ArrayList<>();
  private final FakeReports reports = new FakeReports();
  private final Duration leaseTime;
  private StreamObserver<LeaseTasksResponse> stream;
  private int wanted;
  private long fences;

  FakeCore(Duration leaseTime) {
    this.leaseTime = leaseTime;
  }

  // What tests do.

  synchronized String submit(TaskInput input) {
    String id = "task_" + (tasks.size() + 1);
    Entry entry = new Entry(Task.newBuilder().setId(id).setInput(input).build());
    tasks.put(id, entry);
    queue.add(entry);
    hand();
    return id;
  }

  String submitText(String text) {
    return submit(
        TaskInput.newBuilder().setMessage(Message.newBuilder().addParts(Parts.text(text))).build());
  }

  String submitJson(String json) {
    return submit(TaskInput.newBuilder().setJson(ByteString.copyFromUtf8(json)).build());
  }

  synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  synchronized long calls(String method) {
    return calls.stream().filter(method::equals).count();
  }

  synchronized List<String> ends(String taskId) {
    return List.copyOf(tasks.get(taskId).ends);
  }

  synchronized RecordedStep step(String taskId, String key) {
    return tasks.get(taskId).steps.getOrDefault(key, RecordedStep.getDefaultInstance());
  }

  synchronized List<String> stepKeys(String taskId) {
    return List.copyOf(tasks.get(taskId).steps.keySet());
  }

  /** Returns the keys of the reports of all tasks in the order in which they were applied. */
  synchronized List<String> appliedReports() {
    return reports.applied();
  }

  /** Rejects every call that has a report with this key. */
  synchronized void rejectReport(String stepKey, ErrorCode code) {
    reports.reject(stepKey, code);
  }

  /** Becomes a core that does not know earlier reports. */
  synchronized void takeNoEarlierReports() {
    reports.takeNoEarlier();
  }

  synchronized String question(String taskId) {
    return tasks.get(taskId).question;
  }

  synchronized LeaseState state(String taskId) {
    return tasks.get(taskId).state;
  }

  synchronized int wanted() {
    return wanted;
  }

  synchronized void failNext(String method, int times) {
    failures.put(method, times);
  }

  /** Applies the next calls of the method, and fails them all the same. */
  synchronized void loseAnswers(String method, int times) {
    lostAnswers.put(method, times);
  }

  synchronized void cancel(String taskId, boolean notice) {
    Entry entry = tasks.get(taskId);
    entry.cancelRequested = true;
    if (notice) {
      stream.onNext(
          LeaseTasksResponse.newBuilder()
              .setCancel(CancelNotice.newBuilder().setTaskId(taskId).setFence(entry.fence))
              .build());
    }
  }

  /** Takes a task from its worker, as a lapse of the lease does; queues it again where asked. */
  synchronized void takeAway(String taskId, boolean again) {
    Entry entry = tasks.get(taskId);
    entry.state = LeaseState.LEASE_STATE_FREE;
    entry.fence = ++fences;
    if (again) {
      queue.add(entry);
      hand();
    }
  }

  /** Answers a question, first for the worker that parked if one does. */
  synchronized void answer(String taskId, String text) {
    answer(tasks.get(taskId), text, state(taskId) == LeaseState.LEASE_STATE_PARKED);
  }

  /** Answers a question whose parked lease was freed just now. */
  synchronized void answerParked(String taskId, String text) {
    answer(tasks.get(taskId), text, true);
  }

  private void answer(Entry entry, String text, boolean parked) {
    entry.wantsAnswer = false;
    entry.steps.replaceAll(
        (key, step) ->
            step.hasPending()
                ? RecordedStep.newBuilder()
                    .setStepKey(key)
                    .setAnswer(Message.newBuilder().addParts(Parts.text(text)))
                    .build()
                : step);
    (parked ? resumable : queue).add(entry);
    hand();
  }

  /** Answers a tool call as a client does. */
  synchronized void ran(String taskId, boolean done, String output) {
    ToolResultPart.Builder result =
        ToolResultPart.newBuilder()
            .setOutput(ByteString.copyFromUtf8(output))
            .setStatus(
                done
                    ? ToolResultStatus.TOOL_RESULT_STATUS_OK
                    : ToolResultStatus.TOOL_RESULT_STATUS_ERROR);
    Message message =
        Message.newBuilder().addParts(Part.newBuilder().setToolResult(result)).build();
    settle(taskId, step -> step.setAnswer(message));
  }

  /** Has the time of a tool call run out. */
  synchronized void timeOut(String taskId) {
    settle(taskId, step -> step.setTimedOut(HostToolTimedOut.getDefaultInstance()));
  }

  synchronized boolean hasPending(String taskId) {
    return tasks.get(taskId).steps.values().stream().anyMatch(RecordedStep::hasPending);
  }

  private void settle(String taskId, Consumer<RecordedStep.Builder> outcome) {
    Entry entry = tasks.get(taskId);
    entry.steps.replaceAll(
        (key, step) -> {
          RecordedStep.Builder settled = RecordedStep.newBuilder().setStepKey(key);
          outcome.accept(settled);
          return step.hasPending() ? settled.build() : step;
        });
    goOn(entry, state(taskId) == LeaseState.LEASE_STATE_PARKED);
  }

  private void goOn(Entry entry, boolean parked) {
    entry.wantsAnswer = false;
    (parked ? resumable : queue).add(entry);
    hand();
  }

  synchronized void dropStream() {
    stream.onError(Status.UNAVAILABLE.withDescription("the core restarts").asRuntimeException());
    stream = null;
    wanted = 0;
  }

  private void hand() {
    while (stream != null && wanted > 0 && !(queue.isEmpty() && resumable.isEmpty())) {
      wanted--;
      boolean resumed = !resumable.isEmpty();
      Entry entry = resumed ? resumable.remove() : queue.remove();
      boolean answered = entry.steps.values().stream().anyMatch(RecordedStep::hasAnswer);
      if (!answered) {
        entry.attempt++;
      }
      entry.state = LeaseState.LEASE_STATE_HELD;
      entry.fence = ++fences;
      stream.onNext(
          LeaseTasksResponse.newBuilder()
              .setLease(
                  TaskLease.newBuilder()
                      .setTask(entry.task)
                      .setFence(entry.fence)
                      .setAttempt(entry.attempt)
                      .setLeaseTime(LeaseTimes.span(leaseTime.toNanos()))
                      .setHeartbeatInterval(LeaseTimes.span(leaseTime.toNanos() / 5))
                      .setRerun(!entry.steps.isEmpty())
                      .setResumed(resumed)
                      .setMaxEarlierReports(reports.maxEarlier()))
              .build());
    }
  }

  // What workers call.

  @Override
  public synchronized StreamObserver<LeaseTasksRequest> leaseTasks(
      StreamObserver<LeaseTasksResponse> responses) {
    calls.add("LeaseTasks");
    stream = responses;
    wanted = 0;
    return new StreamObserver<>() {
      @Override
      public void onNext(LeaseTasksRequest request) {
        synchronized (FakeCore.this) {
          if (stream == responses && !request.hasHello()) {
            calls.add("want");
            wanted += request.getWant();
            hand();
          }
        }
      }

      @Override
      public void onError(Throwable failure) {
        onCompleted();
      }

      @Override
      public void onCompleted() {
        synchronized (FakeCore.this) {
          if (stream == responses) {
            stream = null;
            wanted = 0;
            responses.onCompleted();
          }
        }
      }
    };
  }

  @Override
  public void registerWorker(
      RegisterWorkerRequest request, StreamObserver<RegisterWorkerResponse> response) {
    answer("RegisterWorker", response, RegisterWorkerResponse::getDefaultInstance);
  }

  @Override
  public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> response) {
    answer(
        "Heartbeat",
        response,
        () -> {
          HeartbeatResponse.Builder statuses = HeartbeatResponse.newBuilder();
          for (HeldLease lease : request.getLeasesList()) {
            Entry entry = tasks.get(lease.getTaskId());
            boolean held = entry.fence == lease.getFence();
            statuses.addStatuses(
                LeaseStatus.newBuilder()
                    .setTaskId(lease.getTaskId())
                    .setState(held ? entry.state : LeaseState.LEASE_STATE_FREE)
                    .setCancelRequested(held && entry.cancelRequested));
          }
          return statuses.build();
        });
  }

  @Override
  public void reportStep(ReportStepRequest request, StreamObserver<ReportStepResponse> response) {
    answer(
        "ReportStep",
        response,
        () -> {
          Entry entry = held(request.getTaskId(), request.getFence());
          boolean known = entry.steps.containsKey(request.getStepKey());
          reports.apply(entry.steps, request);
          return ReportStepResponse.newBuilder()
              .setStep(entry.steps.get(request.getStepKey()))
              .setApplied(!known)
              .build();
        });
  }

  @Override
  public void listSteps(ListStepsRequest request, StreamObserver<ListStepsResponse> response) {
    answer(
        "ListSteps",
        response,
        () -> {
          Entry entry = held(request.getTaskId(), request.getFence());
          List<RecordedStep> left =
              entry.steps.values().stream()
                  .filter(step -> step.getStepKey().compareTo(request.getAfterStepKey()) > 0)
                  .toList();
          return ListStepsResponse.newBuilder()
              .addAllSteps(left.subList(0, Math.min(2, left.size())))
              .setHasMore(left.size() > 2)
              .build();
        });
  }

  @Override
  public void requestInput(
      RequestInputRequest request, StreamObserver<RequestInputResponse> response) {
    answer(
        "RequestInput",
        response,
        () -> {
          Entry entry = held(request.getTaskId(), request.getFence());
          reports.applyEarlier(entry.steps, request.getEarlierReportsList());
          RecordedStep step = entry.steps.get(request.getStepKey());
          if (step != null && step.hasAnswer()) {
            return RequestInputResponse.newBuilder().setAnswer(step.getAnswer()).build();
          }
          if (step != null && step.hasTimedOut()) {
            return RequestInputResponse.newBuilder().setTimedOut(true).build();
          }
          boolean undecided =
              request.hasToolCall()
                  && entry.verdict != PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
          boolean refused =
              undecided && entry.verdict != PermissionVerdict.PERMISSION_VERDICT_WAITING;
          if (refused) {
            return RequestInputResponse.newBuilder()
                .setVerdict(entry.verdict)
                .setReason("as you like")
                .build();
          }
          RecordedStep.Builder left = RecordedStep.newBuilder().setStepKey(request.getStepKey());
          entry.steps.put(
              request.getStepKey(),
              undecided
                  ? left.setPermission(AskedPermission.getDefaultInstance()).build()
                  : left.setPending(PendingQuestion.getDefaultInstance()).build());
          boolean parks = LeaseTimes.nanos(request.getHold()) > 0;
          entry.state = parks ? LeaseState.LEASE_STATE_PARKED : LeaseState.LEASE_STATE_FREE;
          entry.wantsAnswer = true;
          entry.question = request.getPrompt();
          return RequestInputResponse.getDefaultInstance();
        });
  }

  /** Decides the permission that a task waits for, and queues it again. */
  synchronized void decide(String taskId, PermissionVerdict verdict) {
    Entry entry = tasks.get(taskId);
    entry.verdict = verdict;
    entry.wantsAnswer = false;
    (state(taskId) == LeaseState.LEASE_STATE_PARKED ? resumable : queue).add(entry);
    hand();
  }

  @Override
  public void requestPermission(
      RequestPermissionRequest request, StreamObserver<RequestPermissionResponse> response) {
    answer(
        "RequestPermission",
        response,
        () -> {
          Entry entry = held(request.getTaskId(), request.getFence());
          reports.applyEarlier(entry.steps, request.getEarlierReportsList());
          if (entry.verdict == PermissionVerdict.PERMISSION_VERDICT_WAITING) {
            boolean parks = LeaseTimes.nanos(request.getHold()) > 0;
            entry.state = parks ? LeaseState.LEASE_STATE_PARKED : LeaseState.LEASE_STATE_FREE;
            entry.wantsAnswer = true;
            entry.question = request.getPrompt();
          }
          return RequestPermissionResponse.newBuilder()
              .setVerdict(entry.verdict)
              .setRequestId("permission_1")
              .setReason("as you like")
              .build();
        });
  }

  /** Has one secret of each name, which says what it is of. */
  @Override
  public void useSecret(UseSecretRequest request, StreamObserver<UseSecretResponse> response) {
    answer(
        "UseSecret",
        response,
        () -> {
          Entry entry = held(request.getTaskId(), request.getFence());
          reports.applyEarlier(entry.steps, request.getEarlierReportsList());
          if (request.getName().equals("absent")) {
            throw refusal(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, Status.NOT_FOUND);
          }
          return UseSecretResponse.newBuilder()
              .setValue("value of " + request.getVaultId() + "/" + request.getName())
              .build();
        });
  }

  @Override
  public void completeTask(
      CompleteTaskRequest request, StreamObserver<CompleteTaskResponse> response) {
    answer(
        "CompleteTask",
        response,
        () -> {
          ended(
              request.getTaskId(),
              request.getFence(),
              request.getEarlierReportsList(),
              "completed " + request.getSummary(),
              false);
          return CompleteTaskResponse.getDefaultInstance();
        });
  }

  @Override
  public void failTask(FailTaskRequest request, StreamObserver<FailTaskResponse> response) {
    answer(
        "FailTask",
        response,
        () -> {
          String how =
              (request.getRetryable() ? "retry " : "failed ")
                  + request.getFailure().getCode()
                  + " "
                  + request.getFailure().getMessage();
          ended(
              request.getTaskId(),
              request.getFence(),
              request.getEarlierReportsList(),
              how,
              request.getRetryable());
          return FailTaskResponse.getDefaultInstance();
        });
  }

  @Override
  public void acknowledgeCancel(
      AcknowledgeCancelRequest request, StreamObserver<AcknowledgeCancelResponse> response) {
    answer(
        "AcknowledgeCancel",
        response,
        () -> {
          ended(
              request.getTaskId(),
              request.getFence(),
              request.getEarlierReportsList(),
              "canceled",
              false);
          return AcknowledgeCancelResponse.getDefaultInstance();
        });
  }

  private void ended(
      String taskId, long fence, List<StepReport> earlier, String how, boolean again) {
    Entry entry = tasks.get(taskId);
    // The same end may be told twice under the same lease: its first answer may have been lost.
    if (entry.fence == fence && !entry.ends.isEmpty()) {
      return;
    }
    held(taskId, fence);
    reports.applyEarlier(entry.steps, earlier);
    entry.ends.add(how);
    entry.state = LeaseState.LEASE_STATE_FREE;
    if (again && entry.attempt < 3) {
      entry.ends.clear();
      queue.add(entry);
      hand();
    }
  }

  private Entry held(String taskId, long fence) {
    Entry entry = tasks.get(taskId);
    boolean ours =
        entry.fence == fence && (entry.state != LeaseState.LEASE_STATE_FREE || entry.wantsAnswer);
    if (!ours) {
      throw refusal(ErrorCode.ERROR_CODE_RESOURCE_LOCKED, Status.ABORTED);
    }
    return entry;
  }

  static StatusRuntimeException refusal(ErrorCode code, Status status) {
    Metadata trailers = new Metadata();
    trailers.put(
        DETAIL, ErrorDetail.newBuilder().setCode(code).setMessage("refused: " + code).build());
    return status.asRuntimeException(trailers);
  }

  private synchronized <T> void answer(
      String method, StreamObserver<T> response, Supplier<T> body) {
    calls.add(method);
    if (takes(failures, method)) {
      response.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    try {
      T result = body.get();
      if (takes(lostAnswers, method)) {
        response.onError(Status.UNAVAILABLE.asRuntimeException());
        return;
      }
      response.onNext(result);
      response.onCompleted();
    } catch (StatusRuntimeException e) {
      response.onError(e);
    }
  }

  private static boolean takes(Map<String, Integer> left, String method) {
    return left.merge(method, -1, Integer::sum) >= 0;
  }
}
