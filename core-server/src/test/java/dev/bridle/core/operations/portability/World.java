package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Failure;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.artifact.v1.RegisterArtifactRequest;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.memory.v1.DeleteMemoryRequest;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.TruncateSessionRequest;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WriteWorkspaceFileRequest;
import java.util.List;

/** A tenant with a little of everything, and one task in each state that a task can be in. */
final class World {
  static final String SECRET = "swordfish-" + "7".repeat(20);

  final TestCore core;
  final SharedResources shared;
  final String vault;
  final String session;
  final Task completed;
  final Task failed;
  final Task asking;
  final Task permitted;
  final Task running;
  final Task waiting;

  private World(TestCore core) {
    this.core = core;
    this.shared = SharedResources.in(core.owner());
    this.vault = SampleVaults.made(core.owner(), "default").getId();
    SampleVaults.put(core.owner(), vault, "token", SECRET);
    files();
    this.session = sessionWithMessages();
    TestWorker worker = new TestWorker(core.owner(), "", "w1");
    worker.want(5);
    completed = core.tasks().submitSessionTask(withMessage("count these words"));
    TaskLease lease = worker.lease();
    report(lease, "report", 200_000);
    Artifact late =
        registered(Uploading.described().setSessionId(session).setTaskId(completed.getId()));
    core.workers().completeTask(WorkerRequests.complete(lease).setSummary("done").build());
    failed = core.submit(session);
    lease = worker.lease();
    core.workers()
        .failTask(
            FailTaskRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setFailure(Failure.newBuilder().setCode("no").setMessage("It can't be done."))
                .build());
    asking = core.submit(session);
    lease = worker.lease();
    core.workers()
        .requestInput(
            RequestInputRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setStepKey("ask")
                .setPrompt("Which?")
                .build());
    permitted = core.submit(session);
    lease = changed(worker, worker.lease());
    core.workers()
        .requestPermission(
            WorkerRequests.permission(lease, "may")
                .setAction(
                    AskedAction.newBuilder()
                        .setKind("command")
                        .setTool("git")
                        .setContent(ByteString.copyFromUtf8("{\"command\":\"ls\"}")))
                .build());
    running = core.submit(session);
    report(worker.lease(), "half", 10);
    core.tasks()
        .appendTaskMessage(
            AppendTaskMessageRequest.newBuilder()
                .setTaskId(running.getId())
                .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INTERRUPT)
                .setMessage(text("hurry"))
                .build());
    waiting = core.submit(session);
    upload(late, 7);
    upload(registered(Uploading.described().setWorkspaceId("default")), 70_000);
    registered(Uploading.described().setSessionId(session));
    core.newSession();
    memories();
    lineage();
  }

  /** Has an action approved with other arguments, by which it is found, too. */
  private TaskLease changed(TestWorker worker, TaskLease lease) {
    String id =
        core.workers()
            .requestPermission(
                WorkerRequests.permission(lease, "change")
                    .setAcceptsModified(true)
                    .setAction(
                        AskedAction.newBuilder()
                            .setKind("command")
                            .setContent(ByteString.copyFromUtf8("{\"arguments\":{}}")))
                    .build())
            .getRequestId();
    var unused =
        PermissionServiceGrpc.newBlockingStub(core.owner())
            .respondPermissionRequest(
                RespondPermissionRequestRequest.newBuilder()
                    .setRequestId(id)
                    .setApproved(true)
                    .setArguments(ByteString.copyFromUtf8("{\"all\":true}"))
                    .build());
    worker.want(1);
    return worker.lease();
  }

  /** A truncated transcript, which goes on, and a fork of it. */
  private void lineage() {
    var sessions = SessionServiceGrpc.newBlockingStub(core.owner());
    sessions.truncateSession(
        TruncateSessionRequest.newBuilder().setSessionId(session).setKeepFirst(2).build());
    var unused =
        MessageServiceGrpc.newBlockingStub(core.owner())
            .appendSessionMessage(
                AppendSessionMessageRequest.newBuilder()
                    .setSessionId(session)
                    .setMessage(text("after the cut"))
                    .build());
    sessions.forkSession(ForkSessionRequest.newBuilder().setSessionId(session).build());
  }

  private void files() {
    for (String path : List.of("a.txt", "notes/b.txt", "notes/deep/c.txt", "empty")) {
      var unused =
          WorkspaceServiceGrpc.newBlockingStub(core.owner())
              .writeWorkspaceFile(
                  WriteWorkspaceFileRequest.newBuilder()
                      .setWorkspaceId("default")
                      .setPath(path)
                      .setContent(path.equals("empty") ? "" : path.repeat(10_000))
                      .build());
    }
  }

  /** One of each scope that a session has to do with, and what is left of a deleted one. */
  private void memories() {
    var memories = MemoryServiceGrpc.newBlockingStub(core.owner());
    for (MemoryScope scope :
        List.of(
            MemoryScope.MEMORY_SCOPE_SESSION,
            MemoryScope.MEMORY_SCOPE_WORKSPACE,
            MemoryScope.MEMORY_SCOPE_TENANT)) {
      String owner = scope == MemoryScope.MEMORY_SCOPE_SESSION ? session : "default";
      memories.createMemory(SharedResources.memory(scope, owner));
      String deleted = memories.createMemory(SharedResources.memory(scope, owner)).getId();
      var unused =
          memories.deleteMemory(DeleteMemoryRequest.newBuilder().setMemoryId(deleted).build());
    }
  }

  static World in(TestCore core) {
    return new World(core);
  }

  static MessageInput text(String text) {
    return MessageInput.newBuilder()
        .setRole(Role.ROLE_USER)
        .addParts(
            Part.newBuilder()
                .setText(
                    TextPart.newBuilder()
                        .setText(text)
                        .setVisibility(Visibility.VISIBILITY_PUBLIC)))
        .build();
  }

  private String sessionWithMessages() {
    return SessionServiceGrpc.newBlockingStub(core.owner())
        .createSession(
            CreateSessionRequest.newBuilder()
                .setWorkspaceId("default")
                .setPersonaId(shared.persona())
                .addSkillIds(shared.skill())
                .addMemoryIds(shared.memory())
                .addVaultIds(vault)
                .addAllInitialMessages(List.of(text("hello"), text("x".repeat(150_000))))
                .build())
        .getId();
  }

  private SubmitTaskRequest withMessage(String words) {
    return SubmitTaskRequest.newBuilder()
        .setSessionId(session)
        .setInput(SubmitTaskInput.newBuilder().setMessage(text(words)))
        .build();
  }

  private void report(TaskLease lease, String key, int bytes) {
    core.workers()
        .reportStep(
            WorkerRequests.step(lease, key)
                .setArtifact(
                    ArtifactReport.newBuilder()
                        .setKind(ArtifactKind.ARTIFACT_KIND_FILE)
                        .setMimeType("application/octet-stream")
                        .setVisibility(Visibility.VISIBILITY_PUBLIC)
                        .setContent(ByteString.copyFrom(Uploading.noise(bytes))))
                .build());
  }

  private Artifact registered(RegisterArtifactRequest.Builder described) {
    return Uploading.registered(core.owner(), described);
  }

  private void upload(Artifact artifact, int bytes) {
    var unused = Uploading.upload(core.owner(), artifact.getId(), Uploading.noise(bytes));
  }
}
