package dev.bridle.core.work.redaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.api.v1.RedactionReason;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.Refusal;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.receipt.StoredReceipts;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.GetMessageRequest;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Role;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.redaction.v1.GetRedactionRequest;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest extends LeasedTasks {
  private static final String MARKER = "MARKER7f3a";
  private static final RedactedObject EVENT = RedactedObject.REDACTED_OBJECT_EVENT;
  private static final RedactedObject MESSAGE = RedactedObject.REDACTED_OBJECT_MESSAGE;
  private static final RedactedObject ARTIFACT = RedactedObject.REDACTED_OBJECT_ARTIFACT;

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  private Message say(String text) {
    return MessageServiceGrpc.newBlockingStub(core.withKey("say " + text.hashCode()))
        .appendSessionMessage(
            AppendSessionMessageRequest.newBuilder()
                .setSessionId(session)
                .setMessage(RedactedTask.message(Role.ROLE_USER, text))
                .build());
  }

  private Message read(String id) {
    return MessageServiceGrpc.newBlockingStub(core.owner())
        .getMessage(GetMessageRequest.newBuilder().setMessageId(id).build());
  }

  private Redaction redact(RedactedObject object, String... ids) {
    return RedactionServiceGrpc.newBlockingStub(core.owner())
        .redact(RedactedTask.request(object, ids));
  }

  private Redaction done(Redaction redaction) {
    await()
        .untilAsserted(
            () ->
                assertThat(get(redaction.getId()).getStatus())
                    .isEqualTo(RedactionStatus.REDACTION_STATUS_DONE));
    return get(redaction.getId());
  }

  private Redaction get(String id) {
    return RedactionServiceGrpc.newBlockingStub(core.owner())
        .getRedaction(GetRedactionRequest.newBuilder().setRedactionId(id).build());
  }

  private List<Event> sessionEvents(String of) {
    return EventServiceGrpc.newBlockingStub(core.owner())
        .listSessionEvents(
            ListSessionEventsRequest.newBuilder().setSessionId(of).setLimit(200).build())
        .getDataList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingOfATaskWhoseEventsAndArtifactsAreRedactedIsLeftInStorage(boolean asMessage) {
    Task task = new RedactedTask(core, session, MARKER).play(worker, asMessage);
    byte[] receipt = new StoredReceipts(core).of(task.getId()).bytes();
    assertThat(StoredBytes.with(core.store(), MARKER)).hasSizeGreaterThan(20);

    String[] events =
        core.allEventsOf(task.getId()).stream().map(Event::getId).toArray(String[]::new);
    done(redact(EVENT, events));
    done(
        redact(
            ARTIFACT, RedactedTask.artifacts(core.owner(), task.getId()).toArray(String[]::new)));

    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
    assertThat(core.allEventsOf(task.getId()))
        .hasSize(events.length)
        .allSatisfy(
            event ->
                assertThat(event.getPayload().toStringUtf8())
                    .contains("\"redacted\":{\"reason\":\"redacted\",\"size\":")
                    .contains("\"commitment\":\"sha256:"));
    StoredReceipts receipts = new StoredReceipts(core);
    assertThat(receipts.of(task.getId()).bytes()).isEqualTo(receipt);
    assertThat(receipts.verified(session).isWhole()).isTrue();
  }

  @Test
  void aRepeatedRequestIsAnsweredWithoutWhatWasRedactedSince() {
    Message said = say(MARKER);
    assertThat(say(MARKER)).isEqualTo(said);

    var redaction = redact(MESSAGE, said.getId());

    assertThat(say(MARKER).toString()).doesNotContain(MARKER).contains(said.getId());
    done(redaction);
    assertThat(say(MARKER).getId()).isEqualTo(said.getId());
    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
  }

  @Test
  void aRedactedMessageSaysWhatItWasAndWhoSaidItAndNothingElse() {
    Message said = say(MARKER);

    Redaction redaction = redact(MESSAGE, said.getId());
    Message left = read(said.getId());

    assertThat(left.getRole()).isEqualTo(said.getRole());
    assertThat(left.getCreatedAt()).isEqualTo(said.getCreatedAt());
    assertThat(left.getPartsCount()).isEqualTo(said.getPartsCount());
    assertThat(left.getMetadata().toStringUtf8()).isEqualTo("{}");
    assertThat(left.getParts(0).getText().getText()).isEmpty();
    var why = left.getParts(0).getText().getRedacted();
    assertThat(why.getReason()).isEqualTo(RedactionReason.REDACTION_REASON_REDACTED);
    assertThat(why.getRedactionId()).isEqualTo(redaction.getId());
    assertThat(why.getSize()).isPositive();
    assertThat(left.getParts(1).getText().getVisibility())
        .isEqualTo(Visibility.VISIBILITY_INTERNAL);
    assertThat(left.getParts(1).getText().getRedacted().getCommitment()).startsWith("sha256:");
    assertThat(redaction.getRequestedBy()).isNotEmpty();
    assertThat(redaction.getReason()).isEqualTo("asked for");
    assertThat(redaction.getItems(0).getId()).isEqualTo(said.getId());
    List<Event> events = sessionEvents(session);
    assertThat(events.toString()).doesNotContain(MARKER);
    assertThat(events.get(events.size() - 1).getEvent())
        .isEqualTo("vendor.bridle.content_redacted");
    assertThat(events.get(events.size() - 1).getPayload().toStringUtf8())
        .contains(redaction.getId(), said.getId(), "asked for");
  }

  @Test
  void theCopiesOfAMessageInForkedSessionsGoWithIt() {
    Message said = say(MARKER);
    String fork = fork(session);
    String forkOfFork = fork(fork);
    assertThat(messages(forkOfFork)).contains(MARKER);

    done(redact(MESSAGE, said.getId()));

    assertThat(messages(fork)).doesNotContain(MARKER).contains("redacted");
    assertThat(messages(forkOfFork)).doesNotContain(MARKER);
    assertThat(sessionEvents(forkOfFork).toString())
        .doesNotContain(MARKER)
        .contains("content_redacted");
    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
    assertThat(messages(fork(session))).as("a later fork").doesNotContain(MARKER);
  }

  @Test
  void redactingACopyRedactsTheOriginal() {
    Message said = say(MARKER);
    String fork = fork(session);
    String copy =
        MessageServiceGrpc.newBlockingStub(core.owner())
            .listSessionMessages(ListSessionMessagesRequest.newBuilder().setSessionId(fork).build())
            .getData(0)
            .getId();

    done(redact(MESSAGE, copy));

    assertThat(read(said.getId()).toString()).doesNotContain(MARKER);
  }

  private String fork(String of) {
    return SessionServiceGrpc.newBlockingStub(core.owner())
        .forkSession(ForkSessionRequest.newBuilder().setSessionId(of).build())
        .getId();
  }

  private String messages(String of) {
    return MessageServiceGrpc.newBlockingStub(core.owner())
        .listSessionMessages(ListSessionMessagesRequest.newBuilder().setSessionId(of).build())
        .toString();
  }

  @Test
  void contentOfALiveTaskIsRefusedUntilTheTaskHasEnded() {
    Task task = core.submit(session);
    String event = core.eventsOf(task.getId()).get(0).getId();

    ErrorDetail refused = Refusal.of(() -> redact(EVENT, event));

    assertThat(refused.getCode()).isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
    assertThat(refused.getMessage()).contains("cancel the task, or wait");
    assertThat(core.eventsOf(task.getId()).toString()).doesNotContain("redact");
    var unused = cancel(task.getId());
    assertThat(redact(EVENT, event).getResources()).isEqualTo(2);
    assertThat(core.task(task.getId()).getInput().getJson().toStringUtf8())
        .contains("\"reason\":\"redacted\"");
  }

  @Test
  void whatWasRedactedIsNotRedactedAgain() {
    Message said = say(MARKER);
    Message other = say("other");

    Redaction first = redact(MESSAGE, said.getId());
    assertThat(redact(MESSAGE, said.getId()).getId()).isEqualTo(first.getId());
    Redaction both = redact(MESSAGE, said.getId(), other.getId());

    assertThat(both.getId()).isNotEqualTo(first.getId());
    assertThat(redact(MESSAGE, said.getId(), other.getId()).getId()).isEqualTo(both.getId());
    assertThat(read(said.getId()).getParts(0).getText().getRedacted().getRedactionId())
        .isEqualTo(first.getId());
  }

  @Test
  void whatACallerCannotReachCannotBeRedacted() {
    Message said = say(MARKER);
    String another =
        WorkspaceServiceGrpc.newBlockingStub(core.owner())
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder()
                    .setName("another")
                    .setRoot("workspace://another")
                    .build())
            .getId();
    var elsewhere = core.as("eve", List.of("content:redact"), List.of(another));
    var reader = core.as("eve", List.of("messages:read", "content:internal"), List.of("default"));

    ErrorDetail hidden = Refusal.of(() -> RedactedTask.redact(elsewhere, MESSAGE, said.getId()));
    ErrorDetail unscoped = Refusal.of(() -> RedactedTask.redact(reader, MESSAGE, said.getId()));
    ErrorDetail absent = Refusal.of(() -> redact(ARTIFACT, "artifact_no"));
    ErrorDetail noContent = Refusal.of(() -> redact(EVENT, sessionEvents(session).get(0).getId()));

    assertThat(hidden.getCode()).isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    assertThat(unscoped.getCode()).isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
    assertThat(absent.getCode()).isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND);
    assertThat(noContent.getCode()).isEqualTo(ErrorCode.ERROR_CODE_INVALID_REQUEST);
    assertThat(read(said.getId())).isEqualTo(said);
  }

  @Test
  void theInputOfAToolThatAClientRanGoesWithTheQuestionAboutIt() {
    var submitted = core.submit(session);
    worker.want(1);
    var request =
        RequestInputRequest.newBuilder()
            .setTaskId(submitted.getId())
            .setStepKey("tool")
            .setPrompt("Show it.")
            .setToolCall(
                HostToolCall.newBuilder().setName("open_file").setInput(RedactedTask.json(MARKER)));
    var asked = core.workers().requestInput(request.setFence(worker.lease().getFence()).build());
    assertThat(asked.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    String pending =
        PermissionServiceGrpc.newBlockingStub(core.owner())
            .listTaskPermissionRequests(
                ListTaskPermissionRequestsRequest.newBuilder().setTaskId(submitted.getId()).build())
            .getData(0)
            .getId();
    var approved =
        PermissionServiceGrpc.newBlockingStub(core.owner())
            .respondPermissionRequest(
                RespondPermissionRequestRequest.newBuilder()
                    .setRequestId(pending)
                    .setApproved(true)
                    .build());
    assertThat(approved.getId()).isEqualTo(pending);
    worker.want(1);
    assertThat(
            core.workers()
                .requestInput(request.setFence(worker.lease().getFence()).build())
                .hasAnswer())
        .isFalse();
    var unused = cancel(submitted.getId());
    String requested =
        core.eventsOf(submitted.getId()).stream()
            .filter(event -> event.getEvent().equals("tool.requested"))
            .findFirst()
            .orElseThrow()
            .getId();

    done(redact(EVENT, requested));

    assertThat(StoredBytes.with(core.store(), MARKER)).isEmpty();
  }
}
