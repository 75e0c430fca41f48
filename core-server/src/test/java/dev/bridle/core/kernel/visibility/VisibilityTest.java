package dev.bridle.core.kernel.visibility;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.DownloadArtifactContentRequest;
import dev.bridle.artifact.v1.GetArtifactRequest;
import dev.bridle.artifact.v1.RegisterArtifactRequest;
import dev.bridle.core.Refusal;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Content that is not public, through a core with a worker. */
class VisibilityTest extends LeasedTasks {
  private static final String MARKER = "MARKER-of-what-is-hidden";
  private static final Set<String> NORMAL =
      Set.of(
          "tasks:read",
          "tasks:write",
          "sessions:read",
          "sessions:write",
          "events:read",
          "artifacts:read",
          "artifacts:write");

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @ParameterizedTest
  @CsvSource({"VISIBILITY_INTERNAL, true", "VISIBILITY_RECEIPT_ONLY, false"})
  void theInputOfATaskIsForItsWorkerAndForThoseWhoMaySeeIt(Visibility visibility, boolean owner) {
    Task submitted = TaskServiceGrpc.newBlockingStub(others()).submitSessionTask(task(visibility));
    TaskLease lease = next();

    assertThat(text(lease.getTask())).isEqualTo(MARKER);
    assertThat(text(submitted)).isEmpty();
    assertThat(submitted.getInput().getMessage().getParts(0).hasCommitment()).isFalse();
    assertThat(text(get(others(), lease))).isEmpty();
    assertThat(text(get(core.owner(), lease))).isEqualTo(owner ? MARKER : "");
    Part stored = lease.getTask().getInput().getMessage().getParts(0);
    assertThat(core.eventsOf(lease.getTask().getId()))
        .extracting(event -> event.getPayload().toStringUtf8())
        .noneMatch(payload -> payload.contains(MARKER))
        .anyMatch(
            payload ->
                payload.contains(Commitment.spell(stored.getCommitment().getCommitment()))
                    && payload.contains("\"text\":\"\",\"visibility\":\""));
    assertThat(
            Commitment.of(
                stored.getCommitment().getSalt().toByteArray(),
                ResourceJson.of(stored.toBuilder().clearCommitment().build())))
        .isEqualTo(stored.getCommitment().getCommitment());
  }

  @Test
  void aRepeatedCommandIsAnsweredToEachCallerAsItMaySee() {
    Channel sender = withKey(core.as(caller("*", "tasks:write")), "again");
    Channel narrow = withKey(core.as(caller("tasks:write")), "again");

    Task first =
        TaskServiceGrpc.newBlockingStub(sender)
            .submitSessionTask(task(Visibility.VISIBILITY_INTERNAL));
    Task again =
        TaskServiceGrpc.newBlockingStub(narrow)
            .submitSessionTask(task(Visibility.VISIBILITY_INTERNAL));

    assertThat(again.getId()).isEqualTo(first.getId());
    assertThat(text(first)).isEqualTo(MARKER);
    assertThat(text(again)).isEmpty();
  }

  @Test
  void whatAClientSaysOfCommitmentsIsDropped() {
    SubmitTaskRequest.Builder request = task(Visibility.VISIBILITY_PUBLIC).toBuilder();
    Part.Builder part = request.getInputBuilder().getMessageBuilder().getPartsBuilder(0);
    part.getCommitmentBuilder().setSize(99);
    part.getTextBuilder().getRedactedBuilder().setSize(99);

    Task submitted = core.tasks().submitSessionTask(request.build());

    assertThat(submitted.getInput().getMessage().getParts(0))
        .isEqualTo(text(Visibility.VISIBILITY_PUBLIC));
  }

  @Test
  void aForkedSessionKeepsCommitmentsAndShowsNoMore() {
    core.tasks().submitSessionTask(task(Visibility.VISIBILITY_INTERNAL));
    String fork =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .forkSession(ForkSessionRequest.newBuilder().setSessionId(session).build())
            .getId();

    Part original = messages(others(), session).get(0).getParts(0);
    assertThat(original.getText().getRedacted().getCommitment()).startsWith("sha256:");
    assertThat(messages(others(), fork).get(0).getParts(0)).isEqualTo(original);
    assertThat(messages(core.owner(), fork).get(0).getParts(0).getText().getText())
        .isEqualTo(MARKER);
  }

  @Test
  void theContentOfAnArtifactIsForTheWorkerThatHoldsItsTask() {
    core.tasks().submitSessionTask(task(Visibility.VISIBILITY_PUBLIC));
    TaskLease lease = next();
    Artifact internal = report(lease, "internal", Visibility.VISIBILITY_INTERNAL);
    Artifact receipts = report(lease, "receipts", Visibility.VISIBILITY_RECEIPT_ONLY);

    for (Artifact artifact : List.of(internal, receipts)) {
      assertThat(artifact.getSha256())
          .isEqualTo(Uploading.sha256(MARKER.getBytes(StandardCharsets.UTF_8)));
      Artifact shown =
          ArtifactServiceGrpc.newBlockingStub(others())
              .getArtifact(GetArtifactRequest.newBuilder().setArtifactId(artifact.getId()).build());
      assertThat(shown.hasSha256()).isFalse();
      assertThat(shown.getRedacted().getSize()).isEqualTo(MARKER.length());
      assertThat(shown.getRedacted().getCommitment())
          .isEqualTo(
              Commitment.spell(
                  Commitment.of(
                      artifact.getCommitment().getSalt().toByteArray(),
                      ByteString.copyFromUtf8(artifact.getSha256()))));
      assertRefused(
          ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> download(others(), of(artifact)));
      assertThat(download(core.owner(), held(artifact, lease))).isEqualTo(MARKER);
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
          "",
          () -> download(others(), held(artifact, lease)));
    }
    assertThat(download(core.owner(), of(internal))).isEqualTo(MARKER);
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> download(core.owner(), of(receipts)));
    assertThat(payloads(lease, "artifact.created"))
        .hasSize(2)
        .allMatch(
            payload ->
                payload.contains("\"redacted\":{\"reason\":")
                    && !payload.contains(internal.getSha256())
                    && !payload.contains("text/plain"));
    assertThat(ArtifactStore.receiptPart(internal, true).toStringUtf8())
        .isEqualTo("{\"artifact_id\":\"" + internal.getId() + "\",\"kind\":\"log\"}");
    complete(lease, "done");
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
        "",
        () -> download(core.owner(), held(receipts, lease)));
  }

  @Test
  void aWorkerReadsWhatLiesInItsSessionAndNotWhatBelongsToOtherTasks() {
    Artifact given = upload(RegisterArtifactRequest.newBuilder().setSessionId(session));
    Artifact elsewhere =
        upload(RegisterArtifactRequest.newBuilder().setSessionId(core.newSession()));
    Task other = core.submit(session);
    Artifact ofOther = upload(RegisterArtifactRequest.newBuilder().setTaskId(other.getId()));
    TaskLease first = next();
    core.tasks().submitSessionTask(task(Visibility.VISIBILITY_PUBLIC));
    TaskLease lease = next();

    assertThat(first.getTask().getId()).isEqualTo(other.getId());
    assertThat(download(core.owner(), held(given, lease))).isEqualTo(MARKER);
    assertThat(download(core.owner(), held(ofOther, first))).isEqualTo(MARKER);
    for (Artifact foreign : List.of(elsewhere, ofOther)) {
      assertRefused(
          ErrorCode.ERROR_CODE_PERMISSION_DENIED,
          "",
          () -> download(core.owner(), held(foreign, lease)));
    }
  }

  @Test
  void anUploadThatDoesNotFitDoesNotTellTheHashOfHiddenContent() {
    String registered = Uploading.sha256("something else".getBytes(StandardCharsets.UTF_8));
    Artifact made =
        ArtifactServiceGrpc.newBlockingStub(others())
            .registerArtifact(
                registration(RegisterArtifactRequest.newBuilder().setSessionId(session))
                    .setSha256(registered)
                    .build());

    assertThat(made.hasSha256()).isFalse();
    var refusal =
        Refusal.of(
            () ->
                Uploading.upload(others(), made.getId(), MARKER.getBytes(StandardCharsets.UTF_8)));
    assertThat(refusal.getCode()).isEqualTo(ErrorCode.ERROR_CODE_INVALID_REQUEST);
    assertThat(refusal.toString()).doesNotContain(registered);
  }

  @Test
  void aHiddenEventHasACommitmentAndItsStepTheFacts() {
    core.tasks().submitSessionTask(task(Visibility.VISIBILITY_PUBLIC));
    TaskLease lease = next();
    ByteString facts = ByteString.copyFromUtf8("{\"a\":\"" + MARKER + "\"}");
    ReportStepRequest request =
        step(lease, "thought")
            .setEvent(
                EventReport.newBuilder()
                    .setEvent("agent.reasoning_summary")
                    .setPayload(facts)
                    .setVisibility(Visibility.VISIBILITY_INTERNAL))
            .build();

    assertThat(core.workers().reportStep(request).getApplied()).isTrue();
    assertThat(core.workers().reportStep(request).getApplied()).isFalse();

    StepRecord record = stored(lease, "thought");
    assertThat(record.getHiddenPayload()).isEqualTo(facts);
    assertThat(record.getVisibility()).isEqualTo(Visibility.VISIBILITY_INTERNAL);
    assertThat(payloads(lease, "agent.reasoning_summary"))
        .containsExactly(
            "{\"visibility\":\"internal\",\"redacted\":{\"reason\":\"internal\",\"size\":"
                + facts.size()
                + ",\"commitment\":\""
                + Commitment.spell(Commitment.of(record.getSalt().toByteArray(), facts))
                + "\"}}");
  }

  private Channel others() {
    return core.as(caller(NORMAL.toArray(String[]::new)));
  }

  private String caller(String... scopes) {
    return core.core().processCredential("default", "ben", Set.of(scopes));
  }

  private static Channel withKey(Channel channel, String key) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), key);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private TaskLease next() {
    worker.want(1);
    return worker.lease();
  }

  private SubmitTaskRequest task(Visibility visibility) {
    return SubmitTaskRequest.newBuilder()
        .setSessionId(session)
        .setInput(
            SubmitTaskInput.newBuilder()
                .setMessage(
                    MessageInput.newBuilder().setRole(Role.ROLE_USER).addParts(text(visibility))))
        .build();
  }

  private static Part text(Visibility visibility) {
    return Part.newBuilder()
        .setText(TextPart.newBuilder().setText(MARKER).setVisibility(visibility))
        .build();
  }

  private static String text(Task task) {
    return task.getInput().getMessage().getParts(0).getText().getText();
  }

  private static Task get(Channel channel, TaskLease lease) {
    return TaskServiceGrpc.newBlockingStub(channel)
        .getTask(GetTaskRequest.newBuilder().setTaskId(lease.getTask().getId()).build());
  }

  private static List<Message> messages(Channel channel, String session) {
    return MessageServiceGrpc.newBlockingStub(channel)
        .listSessionMessages(ListSessionMessagesRequest.newBuilder().setSessionId(session).build())
        .getDataList();
  }

  private List<String> payloads(TaskLease lease, String kind) {
    return core.eventsOf(lease.getTask().getId()).stream()
        .filter(event -> event.getEvent().equals(kind))
        .map(Event::getPayload)
        .map(ByteString::toStringUtf8)
        .toList();
  }

  private static ReportStepRequest.Builder step(TaskLease lease, String key) {
    return ReportStepRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey(key);
  }

  private Artifact report(TaskLease lease, String key, Visibility visibility) {
    return core.workers()
        .reportStep(
            step(lease, key)
                .setArtifact(
                    ArtifactReport.newBuilder()
                        .setKind(ArtifactKind.ARTIFACT_KIND_LOG)
                        .setMimeType("text/plain")
                        .setVisibility(visibility)
                        .setContent(ByteString.copyFromUtf8(MARKER)))
                .build())
        .getStep()
        .getArtifact();
  }

  private static RegisterArtifactRequest.Builder registration(
      RegisterArtifactRequest.Builder owner) {
    return owner
        .setKind(ArtifactKind.ARTIFACT_KIND_FILE)
        .setMimeType("text/plain")
        .setVisibility(Visibility.VISIBILITY_RECEIPT_ONLY);
  }

  private Artifact upload(RegisterArtifactRequest.Builder owner) {
    Artifact made =
        ArtifactServiceGrpc.newBlockingStub(core.owner())
            .registerArtifact(registration(owner).build());
    return Uploading.upload(core.owner(), made.getId(), MARKER.getBytes(StandardCharsets.UTF_8));
  }

  private static DownloadArtifactContentRequest of(Artifact artifact) {
    return DownloadArtifactContentRequest.newBuilder().setArtifactId(artifact.getId()).build();
  }

  private static DownloadArtifactContentRequest held(Artifact artifact, TaskLease lease) {
    return of(artifact).toBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .build();
  }

  private static String download(Channel channel, DownloadArtifactContentRequest request) {
    Iterator<ArtifactContent> pieces =
        ArtifactServiceGrpc.newBlockingStub(channel).downloadArtifactContent(request);
    StringBuilder content = new StringBuilder();
    pieces.forEachRemaining(piece -> content.append(piece.getData().toStringUtf8()));
    return content.toString();
  }

  private StepRecord stored(TaskLease lease, String key) {
    Steps steps = new Steps(new StepStore(KeyLayout.root()));
    return core.store()
        .read(tr -> steps.findRecord(tr, "default", lease.getTask().getId(), key))
        .orElseThrow();
  }
}
