package dev.bridle.core.work.redaction;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.core.Refusal;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.Finding;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.receipt.StoredReceipts;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Role;
import dev.bridle.redaction.v1.GetRedactionRequest;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.TaskLease;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is too much for one transaction, such as a whole task, is erased piece by piece. */
class TaskRedactionTest extends LeasedTasks {
  private static final String MARKER = "MARKER44d1";
  private static final RedactedObject TASK = RedactedObject.REDACTED_OBJECT_TASK;
  private static final RedactedObject EVENT = RedactedObject.REDACTED_OBJECT_EVENT;
  private static final RedactedObject MESSAGE = RedactedObject.REDACTED_OBJECT_MESSAGE;

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  private Task played(boolean asMessage) {
    return new RedactedTask(core, session, MARKER).play(worker, asMessage);
  }

  private Redaction redact(RedactedObject object, String... ids) {
    return done(
        RedactionServiceGrpc.newBlockingStub(core.owner())
            .redact(RedactedTask.request(object, ids)));
  }

  private Redaction done(Redaction redaction) {
    await()
        .untilAsserted(
            () ->
                assertThat(get(redaction).getStatus())
                    .isEqualTo(RedactionStatus.REDACTION_STATUS_DONE));
    return get(redaction);
  }

  private Redaction get(Redaction redaction) {
    return RedactionServiceGrpc.newBlockingStub(core.owner())
        .getRedaction(GetRedactionRequest.newBuilder().setRedactionId(redaction.getId()).build());
  }

  private List<Finding> findings() {
    return new StorageChecker(core.store(), KeyLayout.root(), CoreRecords.CATALOG)
        .check(CheckProgress.SILENT)
        .findings();
  }

  private void change(Consumer<Transaction> change) {
    core.store()
        .transact(
            tr -> {
              change.accept(tr);
              return true;
            });
  }

  private String say() {
    return MessageServiceGrpc.newBlockingStub(core.owner())
        .appendSessionMessage(
            AppendSessionMessageRequest.newBuilder()
                .setSessionId(session)
                .setMessage(RedactedTask.message(Role.ROLE_USER, MARKER))
                .build())
        .getId();
  }

  private String fork() {
    return SessionServiceGrpc.newBlockingStub(core.owner())
        .forkSession(ForkSessionRequest.newBuilder().setSessionId(session).build())
        .getId();
  }

  private String messages(String of) {
    return MessageServiceGrpc.newBlockingStub(core.owner())
        .listSessionMessages(ListSessionMessagesRequest.newBuilder().setSessionId(of).build())
        .toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingOfARedactedTaskIsLeftAndItsReceiptStillVerifies(boolean asMessage) {
    Task task = played(asMessage);
    byte[] receipt = new StoredReceipts(core).of(task.getId()).bytes();
    int events = core.allEventsOf(task.getId()).size();
    String fork = fork();
    assertThat(messages(fork)).contains(MARKER);

    Redaction redaction = redact(TASK, task.getId());

    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
    assertThat(findings()).isEmpty();
    assertThat(redaction.getResources()).isGreaterThan(events);
    assertThat(redaction.getItems(0).getObject()).isEqualTo("task");
    assertThat(core.allEventsOf(task.getId()))
        .hasSize(events)
        .allMatch(event -> event.getPayload().toStringUtf8().contains("\"reason\":\"redacted\""));
    assertThat(messages(fork)).contains("redacted");
    StoredReceipts receipts = new StoredReceipts(core);
    assertThat(receipts.of(task.getId()).bytes()).isEqualTo(receipt);
    assertThat(receipts.verified(session).isWhole()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTaskCanBeRedactedOfWhichRetentionHasDroppedTheEvents(boolean asMessage) {
    Task task = played(asMessage);
    DroppedLog.drop(core, session);
    assertThat(core.allEventsOf(task.getId())).isEmpty();
    assertThat(StoredBytes.with(core.store(), MARKER)).isNotEmpty();

    redact(TASK, task.getId());

    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
  }

  @Test
  void anArtifactOfATaskThatGotItsContentAfterTheEndGoesWithTheTask() {
    Task task = core.submit(session);
    String late =
        ArtifactServiceGrpc.newBlockingStub(core.owner())
            .registerArtifact(
                Uploading.described().setSessionId(session).setTaskId(task.getId()).build())
            .getId();
    worker.want(1);
    var unused = core.workers().completeTask(WorkerRequests.complete(worker.lease()).build());
    var uploaded =
        Uploading.upload(core.owner(), late, (MARKER + " late").getBytes(StandardCharsets.UTF_8));
    assertThat(uploaded.getTaskId()).isEqualTo(task.getId());

    redact(TASK, task.getId());

    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
    assertThat(StoredBytes.with(core.store(), uploaded.getSha256())).isEmpty();
    assertThat(findings()).isEmpty();
  }

  @Test
  void aTaskOfManyEventsIsErasedInSeveralPieces() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 230; i++) {
      keys.add("step " + i);
    }
    keys.forEach(
        key -> {
          var reported =
              core.workers()
                  .reportStep(
                      WorkerRequests.step(lease, key)
                          .setEvent(
                              EventReport.newBuilder()
                                  .setEvent("vendor.note")
                                  .setVisibility(Visibility.VISIBILITY_PUBLIC)
                                  .setPayload(RedactedTask.json(MARKER + " " + key)))
                          .build());
          assertThat(reported.getStep().hasTold()).isTrue();
        });
    var unused = core.workers().completeTask(WorkerRequests.complete(lease).build());

    Redaction redaction = redact(TASK, task.getId());

    assertThat(redaction.getResources()).isGreaterThan(230);
    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
    assertThat(findings()).isEmpty();
  }

  @Test
  void aMessageWithMoreCopiesThanOneTransactionErasesGoesFromAllOfThem() {
    String said = say();
    List<String> forks = new ArrayList<>();
    for (int i = 0; i < 2 * Copies.MAX_AT_ONCE + 5; i++) {
      forks.add(fork());
    }

    Redaction asked =
        RedactionServiceGrpc.newBlockingStub(core.owner())
            .redact(RedactedTask.request(MESSAGE, said));
    assertThat(messages(session)).as("the message itself, at once").doesNotContain(MARKER);
    Redaction redaction = done(asked);

    assertThat(redaction.getResources()).isEqualTo(2 * (forks.size() + 1));
    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
    assertThat(forks).allMatch(fork -> messages(fork).contains("redacted"));
    assertThat(findings()).isEmpty();
  }

  @Test
  void theStorageCheckFindsACopyOfAMessageThatWasLeftOut() {
    String said = say();
    String fork = fork();
    KeyValue copied =
        StoredBytes.rows(core.store(), MARKER).stream()
            .filter(row -> new String(row.key(), ISO_8859_1).contains(copyIn(fork)))
            .findFirst()
            .orElseThrow();
    redact(MESSAGE, said);
    KeyValue mark = StoredBytes.rows(core.store(), "message/" + copyIn(fork)).get(0);
    KeyValue erased =
        new KeyValue(copied.key(), core.store().read(tr -> tr.get(copied.key())).orElseThrow());

    change(tr -> tr.set(copied.key(), copied.value()));
    change(tr -> tr.clear(mark.key()));
    assertThat(findings())
        .extracting(Finding::sentence)
        .anyMatch(text -> text.contains("its copy " + copyIn(fork) + " was not"));

    change(tr -> tr.set(mark.key(), mark.value()));
    change(tr -> tr.set(erased.key(), erased.value()));
    assertThat(findings()).isEmpty();
  }

  private String copyIn(String fork) {
    return MessageServiceGrpc.newBlockingStub(core.owner())
        .listSessionMessages(ListSessionMessagesRequest.newBuilder().setSessionId(fork).build())
        .getData(0)
        .getId();
  }

  @Test
  void aTaskThatHasNotEndedIsNotRedacted() {
    Task task = core.submit(session);

    var refused =
        Refusal.of(
            () ->
                RedactionServiceGrpc.newBlockingStub(core.owner())
                    .redact(RedactedTask.request(TASK, task.getId())));
    var absent =
        Refusal.of(
            () ->
                RedactionServiceGrpc.newBlockingStub(core.owner())
                    .redact(RedactedTask.request(TASK, "task_no")));
    var hidden =
        Refusal.of(
            () ->
                RedactedTask.redact(
                    core.as("eve", List.of("content:redact"), List.of("another")),
                    TASK,
                    task.getId()));

    assertThat(refused.getCode()).isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
    assertThat(absent.getCode()).isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    assertThat(hidden.getCode()).isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    assertThat(core.eventsOf(task.getId()).toString()).doesNotContain("redact");
  }

  @Test
  void aTaskThatIsRedactedInPartIsRedactedWholeAndOnlyOnce() {
    Task task = played(true);
    Event submitted = core.eventsOf(task.getId()).get(0);
    Redaction part = redact(EVENT, submitted.getId());

    Redaction whole = redact(TASK, task.getId());

    assertThat(whole.getId()).isNotEqualTo(part.getId());
    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
    assertThat(redact(TASK, task.getId()).getId()).isEqualTo(whole.getId());
    assertThat(core.eventsOf(task.getId()).get(0).getPayload()).isNotEqualTo(ByteString.EMPTY);
    assertThat(findings()).isEmpty();
  }
}
