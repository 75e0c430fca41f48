package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.redaction.RedactedTask;
import dev.bridle.core.work.redaction.StoredBytes;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.message.v1.Message;
import dev.bridle.redaction.v1.GetRedactionRequest;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.task.v1.TaskMessageMode;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UserMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that wait for a task's worker, where the task is exported, imported or redacted. */
final class WaitingMessagesTest extends LeasedTasks {
  private static final String MARKER = "MARKER5c7a";

  @TempDir Path elsewhere;
  private TestCore target;
  private TestWorker host;
  private TaskLease lease;
  private Message waiting;

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @BeforeEach
  void say() {
    target = TestCore.start(elsewhere, TaskOptions.DEFAULT);
    host = new TestWorker(core.owner(), hello());
    var unused = core.submit(session);
    host.want(1);
    lease = host.lease();
    var first = said("first");
    waiting = said(MARKER);
    assertThat(first.getTaskId()).isEqualTo(task());
    assertThat(take(core, lease, take(core, lease, 0).get(0).getSequence())).hasSize(2);
  }

  @AfterEach
  void leave() {
    host.close();
    target.close();
  }

  private static LeaseHello.Builder hello() {
    return LeaseHello.newBuilder()
        .setWorkerId("host")
        .setTakesMessages(true)
        .setOneTaskPerSession(true);
  }

  private Message said(String text) {
    return core.tasks()
        .appendTaskMessage(
            WorkerRequests.said(task(), text)
                .setMode(TaskMessageMode.TASK_MESSAGE_MODE_FINISH_STEP)
                .build());
  }

  private String task() {
    return lease.getTask().getId();
  }

  private static List<UserMessage> take(TestCore core, TaskLease lease, long through) {
    return core.workers().takeMessages(WorkerRequests.taken(lease, through)).getMessagesList();
  }

  private void redact(RedactedObject object, String id) {
    var redactions = RedactionServiceGrpc.newBlockingStub(core.owner());
    Redaction asked = RedactedTask.redact(core.owner(), object, id);
    var get = GetRedactionRequest.newBuilder().setRedactionId(asked.getId()).build();
    await()
        .until(
            () ->
                redactions.getRedaction(get).getStatus() == RedactionStatus.REDACTION_STATUS_DONE);
  }

  /** Takes the task over in the other server, and returns what a worker gets there. */
  private List<UserMessage> there(byte[] file) {
    assertThat(
            Transfer.load(target, file, Transfer.into("default").setTakeOver(true)).getTakenOver())
        .isEqualTo(1);
    try (TestWorker next = new TestWorker(target.owner(), hello())) {
      next.want(1);
      TaskLease there = next.lease();
      assertThat(there.getTask().getId()).isEqualTo(task());
      assertThat(there.getHasMessages()).isTrue();
      return take(target, there, 0);
    }
  }

  @Test
  void theyWaitForTheWorkerThatTakesTheTaskOverWhereItIsImported() {
    List<UserMessage> here = take(core, lease, 0);

    List<UserMessage> there = there(Transfer.tenant(core));

    assertThat(there).isEqualTo(here);
    assertThat(there).extracting(UserMessage::getTaken).containsExactly(true, false);
    assertThat(there.get(1).getMessage()).isEqualTo(waiting);
  }

  @Test
  void oneOfATaskThatWorksIsNotRedactedAndIsStillTaken() {
    assertThat(
            Refusal.of(() -> redact(RedactedObject.REDACTED_OBJECT_MESSAGE, waiting.getId()))
                .getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);

    assertThat(take(core, lease, 0).get(1).getMessage()).isEqualTo(waiting);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWasNotTakenWhenItsTaskEndedIsRedactedAloneOrWithTheTask(boolean whole) {
    fail(lease, false);
    assertThat(core.task(task()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(StoredBytes.with(core.store(), MARKER)).isNotEmpty();

    if (whole) {
      redact(RedactedObject.REDACTED_OBJECT_TASK, task());
    } else {
      redact(RedactedObject.REDACTED_OBJECT_MESSAGE, waiting.getId());
    }

    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
    byte[] file = Transfer.tenant(core);
    assertThat(new String(file, StandardCharsets.ISO_8859_1)).doesNotContain(MARKER);
    Transfer.load(target, file);
    assertThat(target.task(task()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(StoredBytes.with(target.store(), MARKER)).isEmpty();
  }
}
