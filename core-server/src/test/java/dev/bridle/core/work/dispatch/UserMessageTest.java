package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.message.v1.Message;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskMessageMode;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.MessageNotice;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UserMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages of users to tasks that work. */
class UserMessageTest extends LeasedTasks {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final TaskMessageMode FINISH_STEP = TaskMessageMode.TASK_MESSAGE_MODE_FINISH_STEP;
  private static final TaskMessageMode INTERRUPT =
      TaskMessageMode.TASK_MESSAGE_MODE_INTERRUPT_IMMEDIATE;

  private TestWorker host;
  private TaskLease lease;

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @BeforeEach
  void lease() {
    host = new TestWorker(core.owner(), hello("host"));
    lease = next(host);
  }

  @AfterEach
  void leave() {
    host.close();
  }

  private static LeaseHello.Builder hello(String id) {
    return LeaseHello.newBuilder()
        .setWorkerId(id)
        .setWorksWhileParked(true)
        .setTakesMessages(true)
        .setOneTaskPerSession(true);
  }

  private TaskLease next(TestWorker worker) {
    var unused = core.submit(session);
    worker.want(1);
    return worker.lease();
  }

  private Message say(String text, TaskMessageMode mode) {
    return core.tasks()
        .appendTaskMessage(
            WorkerRequests.said(lease.getTask().getId(), text).setMode(mode).build());
  }

  private void told(String text, TaskMessageMode mode) {
    assertThat(say(text, mode).getTaskId()).isEqualTo(lease.getTask().getId());
  }

  private List<UserMessage> take(TaskLease held, long through) {
    return core.workers().takeMessages(WorkerRequests.taken(held, through)).getMessagesList();
  }

  private boolean heartbeatTells() {
    return core.workers()
        .heartbeat(WorkerRequests.heartbeat(lease))
        .getStatuses(0)
        .getMessagesWaiting();
  }

  private static List<String> texts(List<UserMessage> messages) {
    return messages.stream()
        .map(one -> one.getMessage().getParts(0).getText().getText() + (one.getTaken() ? "!" : ""))
        .toList();
  }

  @Test
  void theWorkerIsToldAndTakesThemInTheirOrder() {
    Message first = say("one", FINISH_STEP);
    Message second = say("two", INTERRUPT);

    assertThat(host.message(PATIENCE))
        .hasValueSatisfying(
            (MessageNotice notice) -> assertThat(notice.getFence()).isEqualTo(lease.getFence()));
    List<UserMessage> waiting = take(lease, 0);
    assertThat(waiting).extracting(UserMessage::getMessage).containsExactly(first, second);
    assertThat(waiting).extracting(UserMessage::getMode).containsExactly(FINISH_STEP, INTERRUPT);
    assertThat(texts(take(lease, waiting.get(0).getSequence()))).containsExactly("one!", "two");
    assertThat(texts(take(lease, 0))).as("asked again").containsExactly("one!", "two");
    assertThat(core.kindsOf(lease.getTask().getId())).filteredOn("user.message"::equals).hasSize(2);
  }

  @Test
  void aHeartbeatTellsAWorkerThatMissedTheNotice() {
    assertThat(heartbeatTells()).isFalse();
    told("one", FINISH_STEP);
    assertThat(heartbeatTells()).isTrue();
    var taken = take(lease, Long.MAX_VALUE);
    assertThat(texts(taken)).containsExactly("one!");
    assertThat(heartbeatTells()).isFalse();
  }

  @Test
  void theNextLeaseGetsWhatTheLastOneHasNotTaken() {
    told("one", INTERRUPT);
    assertThat(take(lease, take(lease, 0).get(0).getSequence())).hasSize(1);
    told("two", INTERRUPT);
    fail(lease, true);
    told("three", FINISH_STEP);
    host.want(1);
    TaskLease again = host.lease();

    assertThat(again.getTask().getId()).isEqualTo(lease.getTask().getId());
    assertThat(again.getHasMessages()).isTrue();
    assertThat(texts(take(again, 0))).containsExactly("one!", "two", "three");
    assertThat(Refusal.of(() -> take(lease, 0)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_LOCKED);
  }

  @Test
  void aTaskDoesNotCompleteBeforeTheyAreTaken() {
    told("one", FINISH_STEP);
    var request = WorkerRequests.complete(lease);

    assertThat(core.workers().completeTask(request.build()).getMessagesWaiting()).isTrue();
    assertThat(status()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    long sequence = take(lease, 0).get(0).getSequence();
    var done = core.workers().completeTask(request.setTakenThrough(sequence).build());

    assertThat(done.getMessagesWaiting()).isFalse();
    assertThat(status()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    assertThat(core.workers().completeTask(request.build()).getTask().getStatus())
        .as("told twice")
        .isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    assertThat(Refusal.of(() -> say("late", FINISH_STEP)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION);
  }

  @Test
  void onlyAFewWait() {
    for (int i = 0; i < 16; i++) {
      told("message " + i, FINISH_STEP);
    }

    assertThat(Refusal.of(() -> say("one more", FINISH_STEP)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RATE_LIMITED);
    assertThat(take(lease, Long.MAX_VALUE)).hasSize(16);
    told("one more", FINISH_STEP);
    assertThat(texts(take(lease, 0))).hasSize(17).last().isEqualTo("one more");
    assertThat(texts(take(lease, Long.MAX_VALUE)))
        .as("only the newest are remembered")
        .hasSize(16)
        .doesNotContain("message 0!");
  }

  @Test
  void whatIsTooLargeIsRefused() {
    told("x".repeat(200_000), FINISH_STEP);

    assertThat(Refusal.of(() -> say("x".repeat(100_000), FINISH_STEP)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_RATE_LIMITED);
    assertThat(Refusal.of(() -> say("x".repeat(300_000), FINISH_STEP)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE);
    assertThat(take(lease, 0)).hasSize(1);
  }

  @Test
  void aWorkerWithoutThemIsNotToldAndKeepsTheInterruptInTheTranscriptOnly() {
    TaskLease plain = next(worker);
    String id = plain.getTask().getId();

    assertThat(
            Refusal.of(
                    () ->
                        core.tasks()
                            .appendTaskMessage(
                                WorkerRequests.said(id, "x").setMode(FINISH_STEP).build()))
                .getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION);
    var unused =
        core.tasks()
            .appendTaskMessage(
                WorkerRequests.said(id, "x")
                    .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INTERRUPT)
                    .build());
    assertThat(take(plain, 0)).isEmpty();
    complete(plain);
    assertThat(core.task(id).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
  }

  @Test
  void oneThatWaitsForTheEndBecomesATaskOfTheSession() {
    Message queued = say("next", TaskMessageMode.TASK_MESSAGE_MODE_WAIT_FOR_COMPLETION);
    Task follows = core.task(queued.getTaskId());

    assertThat(follows.getId()).isNotEqualTo(lease.getTask().getId());
    assertThat(follows.getSessionId()).isEqualTo(session);
    assertThat(follows.getInput().getMessage()).isEqualTo(queued);
    assertThat(take(lease, 0)).isEmpty();
  }

  @Test
  void theNextTaskOfTheSessionWaitsForTheEndOfTheFirst() {
    Task queued = core.submit(session);
    Task elsewhere = core.submit(core.newSession());
    host.want(2);

    assertThat(host.lease().getTask().getId()).isEqualTo(elsewhere.getId());
    var asked = core.workers().requestInput(question(lease, 60));
    assertThat(asked.hasAnswer()).isFalse();
    assertThat(core.task(queued.getId()).getStatus())
        .as("the first one waits for an answer, and keeps its turn")
        .isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
    var unused = core.tasks().appendTaskMessage(TestCore.answer(lease.getTask().getId(), "yes"));
    TaskLease resumed = host.lease();
    assertThat(resumed.getTask().getId()).isEqualTo(lease.getTask().getId());
    assertThat(resumed.getResumed()).isTrue();
    complete(resumed);
    host.want(1);

    assertThat(host.lease().getTask().getId()).isEqualTo(queued.getId());
  }

  private TaskStatus status() {
    return core.task(lease.getTask().getId()).getStatus();
  }
}
