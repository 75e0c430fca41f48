package dev.bridle.core.work.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.event.v1.Event;
import dev.bridle.outcome.v1.GetOutcomeRequest;
import dev.bridle.outcome.v1.OutcomeServiceGrpc;
import dev.bridle.outcome.v1.OutcomeStatus;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drives random legal and illegal commands at a few tasks from several threads, then holds what the
 * log tells of each task against the protocol's table. The model is the log itself: every state
 * must follow from the one before it.
 */
class LifecyclePropertyTest {
  private static final int THREADS = 4;
  private static final int TASKS = 6;
  private static final Set<Status.Code> REFUSALS =
      Set.of(
          Status.Code.FAILED_PRECONDITION,
          Status.Code.ABORTED,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.ALREADY_EXISTS);

  @TempDir Path directory;
  private final Map<String, TaskLease> leases = new ConcurrentHashMap<>();

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void whateverIsAskedOfTasksTheirLogFollowsTheTable(long seed) throws Exception {
    drive(seed, 60);
  }

  @Tag("slow")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void manyMoreCommandsLeaveTheLogInOrderToo(long seed) throws Exception {
    drive(seed, 400);
  }

  private void drive(long seed, int commands) throws Exception {
    try (TestCore core = TestCore.start(directory, TestCore.SHORT)) {
      String session = core.newSession();
      List<String> tasks = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        tasks.add(core.submit(session).getId());
      }
      TestWorker worker = new TestWorker(core.owner(), "", "w");
      worker.want(1000);
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(seed * 31 + t);
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < commands; i++) {
                    step(core, worker, tasks, random, i);
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
      threads.shutdown();
      for (String task : tasks) {
        holdAgainstTable(core, task);
      }
    }
  }

  private void step(
      TestCore core, TestWorker worker, List<String> tasks, Random random, int number) {
    Optional<TaskLease> came = worker.next(Duration.ofMillis(1));
    came.ifPresent(lease -> leases.put(lease.getTask().getId(), lease));
    String task = tasks.get(random.nextInt(tasks.size()));
    long fence =
        Optional.ofNullable(leases.get(task)).map(TaskLease::getFence).orElse(1L)
            - (random.nextInt(6) == 0 ? 1 : 0);
    try {
      command(core, task, fence, random, number);
    } catch (StatusRuntimeException refused) {
      assertThat(REFUSALS).contains(refused.getStatus().getCode());
    }
  }

  private void command(TestCore core, String task, long fence, Random random, int number) {
    switch (random.nextInt(12)) {
      case 0 -> {
        var unused =
            core.tasks()
                .cancelTask(
                    CancelTaskRequest.newBuilder().setTaskId(task).setReason("test").build());
      }
      case 1 -> {
        var unused =
            core.workers()
                .completeTask(
                    CompleteTaskRequest.newBuilder()
                        .setTaskId(task)
                        .setFence(fence)
                        .setSummary("done")
                        .build());
      }
      case 2 -> {
        var unused =
            core.workers()
                .failTask(
                    FailTaskRequest.newBuilder()
                        .setTaskId(task)
                        .setFence(fence)
                        .setFailure(Failure.newBuilder().setCode("bad").setMessage("Bad."))
                        .setRetryable(random.nextBoolean())
                        .build());
      }
      case 3 -> {
        var unused =
            core.workers()
                .acknowledgeCancel(
                    AcknowledgeCancelRequest.newBuilder().setTaskId(task).setFence(fence).build());
      }
      case 4, 5, 6 -> {
        var unused =
            core.workers()
                .requestInput(
                    RequestInputRequest.newBuilder()
                        .setTaskId(task)
                        .setFence(fence)
                        .setStepKey("ask-" + random.nextInt(4))
                        .setPrompt("?")
                        .setHold(Durations.fromMillis(random.nextInt(3) * 50L))
                        .build());
      }
      case 7, 8, 9 -> {
        var unused = core.tasks().appendTaskMessage(TestCore.answer(task, "yes"));
      }
      default -> {
        var unused =
            core.workers()
                .reportStep(
                    ReportStepRequest.newBuilder()
                        .setTaskId(task)
                        .setFence(fence)
                        .setStepKey("p-" + number % 7)
                        .setProgress(ProgressReport.newBuilder().setText("on"))
                        .build());
      }
    }
  }

  private static void holdAgainstTable(TestCore core, String id) {
    List<Event> events = core.allEventsOf(id);
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).getSequence()).isEqualTo(i);
    }
    TaskStatus status = TaskStatus.TASK_STATUS_SUBMITTED;
    for (Event event : events) {
      Optional<TaskStatus> told = toldBy(event);
      if (told.isPresent()) {
        TaskStatus from = status;
        assertThat(TaskLifecycle.find(from, told.get()))
            .as("%s from %s", event.getEvent(), from)
            .hasValueSatisfying(row -> assertThat(row.event()).isEqualTo(event.getEvent()));
        status = told.get();
      } else {
        assertThat(TaskLifecycle.terminal(status)).as("%s after the end", event).isFalse();
      }
    }
    Task task = core.task(id);
    assertThat(task.getStatus()).isEqualTo(status);
    assertThat(task.hasCanceledAt()).isEqualTo(status == TaskStatus.TASK_STATUS_CANCELED);
    assertThat(task.hasCompletedAt())
        .isEqualTo(
            status == TaskStatus.TASK_STATUS_COMPLETED || status == TaskStatus.TASK_STATUS_FAILED);
    if (TaskLifecycle.terminal(status)) {
      OutcomeStatus outcome =
          OutcomeServiceGrpc.newBlockingStub(core.owner())
              .getOutcome(GetOutcomeRequest.newBuilder().setOutcomeId(task.getOutcomeId()).build())
              .getStatus();
      assertThat(outcome == OutcomeStatus.OUTCOME_STATUS_SUCCEEDED)
          .isEqualTo(status == TaskStatus.TASK_STATUS_COMPLETED);
    }
  }

  private static Optional<TaskStatus> toldBy(Event event) {
    return switch (event.getEvent()) {
      case "task.started", "task.status_changed" -> Optional.of(TaskStatus.TASK_STATUS_WORKING);
      case "task.input_required" -> Optional.of(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
      case "task.completed" -> Optional.of(TaskStatus.TASK_STATUS_COMPLETED);
      case "task.failed" -> Optional.of(TaskStatus.TASK_STATUS_FAILED);
      case "task.canceled" -> Optional.of(TaskStatus.TASK_STATUS_CANCELED);
      default -> Optional.empty();
    };
  }
}
