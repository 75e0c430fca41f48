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
import dev.bridle.task.v1.TaskMessageMode;
import dev.bridle.worker.v1.CancelNotice;
import dev.bridle.worker.v1.HostToolTimedOut;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.MessageNotice;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.SessionState;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UserMessage;
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
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A core in memory, as far as a worker can see it by {@link FakeWorkerService}. Faults are ordered
 * by the tests.
 */
final class FakeCore {
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
    List<UserMessage> messages = new ArrayList<>();
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
  private boolean worksWhileParked;
  private Optional<SessionState> sessionState = Optional.empty();
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
    return applied().stream().map(StepReport::getStepKey).toList();
  }

  /** Returns the reports of all tasks in the order in which they were applied. */
  synchronized List<StepReport> applied() {
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

  /** Says something to a task as its user does, and notifies its worker where asked. */
  synchronized void say(String taskId, String text, TaskMessageMode mode, boolean notice) {
    Entry entry = tasks.get(taskId);
    entry.messages.add(
        UserMessage.newBuilder()
            .setSequence(entry.messages.size() + 1)
            .setMode(mode)
            .setMessage(Message.newBuilder().addParts(Parts.text(text)))
            .build());
    if (notice) {
      stream.onNext(
          LeaseTasksResponse.newBuilder()
              .setMessage(MessageNotice.newBuilder().setTaskId(taskId).setFence(entry.fence))
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

  /** Takes reports under parked leases from now on. */
  synchronized void takeReportsWhileParked() {
    worksWhileParked = true;
  }

  /** Returns what is kept about the one session. */
  synchronized Optional<SessionState> sessionState() {
    return sessionState;
  }

  /** Keeps a state unless a newer one is kept, and returns the newest. */
  synchronized SessionState keep(SessionState state) {
    if (sessionState.filter(kept -> kept.getRevision() >= state.getRevision()).isEmpty()) {
      sessionState = Optional.of(state);
    }
    return sessionState.get();
  }

  synchronized void dropStream() {
    stream.onError(Status.UNAVAILABLE.withDescription("the core restarts").asRuntimeException());
    stream = null;
    wanted = 0;
  }

  /** Decides the permission that a task waits for, and queues it again. */
  synchronized void decide(String taskId, PermissionVerdict verdict) {
    Entry entry = tasks.get(taskId);
    entry.verdict = verdict;
    entry.wantsAnswer = false;
    (state(taskId) == LeaseState.LEASE_STATE_PARKED ? resumable : queue).add(entry);
    hand();
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
                      .setHasMessages(!entry.messages.isEmpty())
                      .setResumed(resumed)
                      .setWorksWhileParked(worksWhileParked)
                      .setMaxEarlierReports(reports.maxEarlier()))
              .build());
    }
  }

  // What its service asks, with its lock held.

  /** Notes a call, and returns whether it fails before anything is applied. */
  boolean failsCall(String method) {
    calls.add(method);
    return takes(failures, method);
  }

  /** Returns whether the answer to a call that was applied is lost. */
  boolean losesAnswer(String method) {
    return takes(lostAnswers, method);
  }

  private static boolean takes(Map<String, Integer> left, String method) {
    return left.merge(method, -1, Integer::sum) >= 0;
  }

  Entry entry(String taskId) {
    return tasks.get(taskId);
  }

  FakeReports reports() {
    return reports;
  }

  /** Begins to hand tasks to another stream. */
  synchronized void open(StreamObserver<LeaseTasksResponse> responses) {
    calls.add("LeaseTasks");
    stream = responses;
    wanted = 0;
  }

  /** Hands more tasks to a stream, unless there is another one by now. */
  synchronized void want(StreamObserver<LeaseTasksResponse> responses, int more) {
    if (stream == responses) {
      calls.add("want");
      wanted += more;
      hand();
    }
  }

  synchronized void close(StreamObserver<LeaseTasksResponse> responses) {
    if (stream == responses) {
      stream = null;
      wanted = 0;
      responses.onCompleted();
    }
  }

  void ended(String taskId, long fence, List<StepReport> earlier, String how, boolean again) {
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

  Entry held(String taskId, long fence) {
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
}
