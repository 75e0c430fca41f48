package dev.bridle.core.work.redaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Role;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.redaction.v1.GetRedactionRequest;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.TaskLease;
import org.junit.jupiter.api.Test;

/** Content that only looks erased, or that nothing leads to any more, goes as well. */
class RedactedRemainsTest extends LeasedTasks {
  private static final String TENANT = "default";
  private static final String MARKER = "MARKERe902";
  private static final ByteString LIKE_ERASED =
      ByteString.copyFromUtf8(
          "{\"redacted\":{\"reason\":\"redacted\",\"size\":5,\"commitment\":null,\"redaction_id\":\""
              + MARKER
              + " says: erased long ago\"}}");

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @Test
  void contentThatIsMadeToLookErasedIsErased() {
    Task task = submit(SubmitTaskInput.newBuilder().setJson(LIKE_ERASED).build());
    TaskLease lease = leased();
    depend(lease, LIKE_ERASED);
    complete(lease);

    redactAll(task);

    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
  }

  @Test
  void redactingAStepAgainLeavesWhatTheFirstRedactionSaysOfIt() {
    Task task = submit(SubmitTaskInput.newBuilder().setJson(RedactedTask.json("in")).build());
    TaskLease lease = leased();
    depend(lease, RedactedTask.json(MARKER));
    var told =
        core.workers()
            .reportStep(
                WorkerRequests.step(lease, "m")
                    .setMessage(
                        dev.bridle.worker.v1.MessageReport.newBuilder()
                            .setMessage(RedactedTask.message(Role.ROLE_AGENT, MARKER)))
                    .build());
    complete(lease);
    redact(RedactedObject.REDACTED_OBJECT_MESSAGE, told.getStep().getMessage().getId());
    byte[] erased = step(task, "m");

    redactAll(task);

    assertThat(step(task, "m")).isEqualTo(erased);
    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
  }

  @Test
  void aMessageGoesFromTheInputOfItsTaskWhoseFirstEventsRetentionHasDropped() {
    Task task =
        submit(
            SubmitTaskInput.newBuilder()
                .setMessage(RedactedTask.message(Role.ROLE_USER, MARKER))
                .build());
    var unused = cancel(task.getId());
    DroppedLog.drop(core, session);
    assertThat(core.allEventsOf(task.getId())).isEmpty();
    String message =
        MessageServiceGrpc.newBlockingStub(core.owner())
            .listSessionMessages(
                ListSessionMessagesRequest.newBuilder().setSessionId(session).build())
            .getData(0)
            .getId();

    redact(RedactedObject.REDACTED_OBJECT_MESSAGE, message);

    assertThat(core.task(task.getId()).toString()).doesNotContain(MARKER);
    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
  }

  @Test
  void aValueOfAnEarlierReleaseWhoseEventHasNoNumberGoesWithItsEvent()
      throws InvalidProtocolBufferException {
    Task task = submit(SubmitTaskInput.newBuilder().setJson(RedactedTask.json("in")).build());
    TaskLease lease = leased();
    depend(lease, RedactedTask.json(MARKER));
    complete(lease);
    byte[] earlier =
        StepRecord.parseFrom(step(task, "llm:1")).toBuilder().clearSequence().build().toByteArray();
    core.store()
        .transact(
            tr -> {
              steps().record(tr, TENANT, task.getId(), "llm:1", earlier);
              return true;
            });

    redactAll(task);

    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
  }

  private Task submit(SubmitTaskInput input) {
    return core.tasks()
        .submitSessionTask(
            SubmitTaskRequest.newBuilder().setSessionId(session).setInput(input).build());
  }

  private TaskLease leased() {
    worker.want(1);
    return worker.lease();
  }

  private void depend(TaskLease lease, ByteString value) {
    var recorded =
        core.workers()
            .reportStep(
                WorkerRequests.step(lease, "llm:1")
                    .setDependency(DependencyReport.newBuilder().setValue(value))
                    .build());
    assertThat(recorded.getStep().hasValue()).isTrue();
  }

  private static StepStore steps() {
    return new StepStore(KeyLayout.root());
  }

  private byte[] step(Task task, String key) {
    return core.store().read(tr -> steps().find(tr, TENANT, task.getId(), key)).orElseThrow();
  }

  private void redactAll(Task task) {
    redact(
        RedactedObject.REDACTED_OBJECT_EVENT,
        core.allEventsOf(task.getId()).stream().map(Event::getId).toArray(String[]::new));
  }

  private void redact(RedactedObject object, String... ids) {
    var service = RedactionServiceGrpc.newBlockingStub(core.owner());
    Redaction redaction = service.redact(RedactedTask.request(object, ids));
    await()
        .untilAsserted(
            () ->
                assertThat(
                        service
                            .getRedaction(
                                GetRedactionRequest.newBuilder()
                                    .setRedactionId(redaction.getId())
                                    .build())
                            .getStatus())
                    .isEqualTo(RedactionStatus.REDACTION_STATUS_DONE));
  }
}
