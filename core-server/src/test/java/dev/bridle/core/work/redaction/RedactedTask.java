package dev.bridle.core.work.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.artifact.v1.ListArtifactsRequest;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.message.v1.JsonPart;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.redaction.v1.RedactRequest;
import dev.bridle.redaction.v1.RedactedItem;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Channel;
import java.util.List;

/** A task with a marker in each kind of content, played to its end. */
public final class RedactedTask {
  private final TestCore core;
  private final String session;
  private final String marker;

  public RedactedTask(TestCore core, String session, String marker) {
    this.core = core;
    this.session = session;
    this.marker = marker;
  }

  static Part text(String text, Visibility visibility) {
    return Part.newBuilder()
        .setText(TextPart.newBuilder().setText(text).setVisibility(visibility))
        .build();
  }

  /** Returns a message of a role with a public and an internal part. */
  public static MessageInput.Builder message(Role role, String text) {
    return MessageInput.newBuilder()
        .setRole(role)
        .setMetadata(json(text))
        .addParts(text(text, Visibility.VISIBILITY_PUBLIC))
        .addParts(text("hidden " + text, Visibility.VISIBILITY_INTERNAL))
        .addParts(
            Part.newBuilder()
                .setJson(
                    JsonPart.newBuilder()
                        .setValue(json(text))
                        .setVisibility(Visibility.VISIBILITY_PUBLIC)));
  }

  static ByteString json(String text) {
    return ByteString.copyFromUtf8("{\"said\":\"" + text + "\"}");
  }

  /** Submits a task under an idempotency key, and plays it to its end; returns it as it is then. */
  public Task play(TestWorker worker, boolean asMessage) {
    SubmitTaskInput.Builder input = SubmitTaskInput.newBuilder();
    if (asMessage) {
      input.setMessage(message(Role.ROLE_USER, marker + " input"));
    } else {
      input.setJson(json(marker + " input"));
    }
    Channel keyed = core.withKey("submit " + asMessage);
    Task task =
        TaskServiceGrpc.newBlockingStub(keyed)
            .submitSessionTask(
                SubmitTaskRequest.newBuilder()
                    .setSessionId(session)
                    .setMetadata(json(marker + " metadata"))
                    .setInput(input)
                    .build());
    worker.want(1);
    TaskLease lease = worker.lease();
    report(lease);
    lease = ask(worker, lease, task.getId());
    lease = permission(worker, lease, task.getId());
    var unused =
        core.workers()
            .completeTask(
                WorkerRequests.complete(lease)
                    .setSummary(marker + " summary")
                    .setMetrics(json(marker + " metrics"))
                    .build());
    return core.task(task.getId());
  }

  private void report(TaskLease lease) {
    var workers = core.workers();
    var progress =
        workers.reportStep(
            WorkerRequests.step(lease, "p")
                .setProgress(ProgressReport.newBuilder().setText(marker + " progress"))
                .build());
    assertThat(progress.getStep().hasTold()).isTrue();
    var told =
        workers.reportStep(
            WorkerRequests.step(lease, "m")
                .setMessage(
                    dev.bridle.worker.v1.MessageReport.newBuilder()
                        .setMessage(message(Role.ROLE_AGENT, marker + " agent")))
                .build());
    assertThat(told.getStep().hasMessage()).isTrue();
    for (Visibility visibility :
        List.of(Visibility.VISIBILITY_PUBLIC, Visibility.VISIBILITY_INTERNAL)) {
      var artifact =
          workers.reportStep(
              WorkerRequests.step(lease, "a" + visibility)
                  .setArtifact(
                      ArtifactReport.newBuilder()
                          .setKind(ArtifactKind.ARTIFACT_KIND_LOG)
                          .setMimeType("text/x-" + marker)
                          .setVisibility(visibility)
                          .setMetadata(json(marker + " about"))
                          .setContent(ByteString.copyFromUtf8((marker + " content").repeat(9000))))
                  .build());
      assertThat(artifact.getStep().hasArtifact()).isTrue();
      var event =
          workers.reportStep(
              WorkerRequests.step(lease, "e" + visibility)
                  .setEvent(
                      EventReport.newBuilder()
                          .setEvent("vendor.note")
                          .setVisibility(visibility)
                          .setPayload(json(marker + " note")))
                  .build());
      assertThat(event.getStep().hasTold()).isTrue();
    }
    var dependency =
        workers.reportStep(
            WorkerRequests.step(lease, "llm:1")
                .setDependency(DependencyReport.newBuilder().setValue(json(marker + " answer")))
                .build());
    assertThat(dependency.getStep().hasValue()).isTrue();
  }

  private TaskLease ask(TestWorker worker, TaskLease lease, String task) {
    var asked =
        core.workers()
            .requestInput(WorkerRequests.question(lease).setPrompt(marker + " question").build());
    assertThat(asked.hasAnswer()).isFalse();
    var answer =
        TaskServiceGrpc.newBlockingStub(core.withKey("answer " + task))
            .appendTaskMessage(
                TestCore.answer(task, marker).toBuilder()
                    .setMessage(message(Role.ROLE_USER, marker + " reply"))
                    .build());
    assertThat(answer.getTaskId()).isEqualTo(task);
    worker.want(1);
    return worker.lease();
  }

  private TaskLease permission(TestWorker worker, TaskLease lease, String task) {
    var request =
        WorkerRequests.permission(lease, "may")
            .setPrompt(marker + " prompt")
            .setAction(
                AskedAction.newBuilder()
                    .setKind("command")
                    .setTool("shell")
                    .setTitle(marker + " title")
                    .setContent(json(marker + " command")))
            .build();
    var waits = core.workers().requestPermission(request);
    var approved =
        PermissionServiceGrpc.newBlockingStub(core.withKey("approve " + task))
            .respondPermissionRequest(
                RespondPermissionRequestRequest.newBuilder()
                    .setRequestId(waits.getRequestId())
                    .setApproved(true)
                    .setGrant("this_action")
                    .setReason(marker + " reason")
                    .build());
    assertThat(approved.getId()).isEqualTo(waits.getRequestId());
    worker.want(1);
    TaskLease next = worker.lease();
    var allowed =
        core.workers().requestPermission(request.toBuilder().setFence(next.getFence()).build());
    assertThat(allowed.getRequestId()).isEqualTo(waits.getRequestId());
    return changed(worker, next, task);
  }

  /** Has an action approved with other arguments. */
  private TaskLease changed(TestWorker worker, TaskLease lease, String task) {
    var request =
        WorkerRequests.permission(lease, "change")
            .setPrompt(marker + " prompt")
            .setMetadata(json(marker + " circumstances"))
            .setAcceptsModified(true)
            .setArgumentsMember(marker)
            .setAction(
                AskedAction.newBuilder()
                    .setKind("command")
                    .setContent(ByteString.copyFromUtf8("{\"" + marker + "\":{}}")))
            .build();
    String id = core.workers().requestPermission(request).getRequestId();
    var approved =
        PermissionServiceGrpc.newBlockingStub(core.withKey("change " + task))
            .respondPermissionRequest(
                RespondPermissionRequestRequest.newBuilder()
                    .setRequestId(id)
                    .setApproved(true)
                    .setArguments(json(marker + " arguments"))
                    .build());
    assertThat(approved.getResponse().hasFingerprint()).isTrue();
    worker.want(1);
    TaskLease next = worker.lease();
    var allowed =
        core.workers().requestPermission(request.toBuilder().setFence(next.getFence()).build());
    assertThat(allowed.hasArguments()).isTrue();
    return next;
  }

  /** Redacts one resource. */
  public static Redaction redact(Channel channel, RedactedObject object, String id) {
    return RedactionServiceGrpc.newBlockingStub(channel).redact(request(object, id));
  }

  static RedactRequest request(RedactedObject object, String... ids) {
    RedactRequest.Builder request = RedactRequest.newBuilder().setReason("asked for");
    for (String id : ids) {
      request.addItems(RedactedItem.newBuilder().setObject(object).setId(id));
    }
    return request.build();
  }

  /** Returns the ids of the artifacts of a task. */
  public static List<String> artifacts(Channel channel, String task) {
    return ArtifactServiceGrpc.newBlockingStub(channel)
        .listArtifacts(ListArtifactsRequest.newBuilder().setTaskId(task).build())
        .getDataList()
        .stream()
        .map(artifact -> artifact.getId())
        .toList();
  }
}
