package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.receipt.v1.VerifyReceiptRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.MessageReport;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Channel;
import java.util.List;
import java.util.Set;

/** What clients and a worker do with tasks of one session. The worker holds one lease at a time. */
final class TenantWork implements AutoCloseable {
  private final TestCore core;
  private final TestWorker worker;
  private final String session;
  private TaskLease lease = TaskLease.getDefaultInstance();

  TenantWork(TestCore core, String session) {
    this.core = core;
    this.worker = new TestWorker(core.owner(), "", "w1");
    this.session = session;
  }

  String submit(String text) {
    return TaskServiceGrpc.newBlockingStub(core.withKey("task " + text.hashCode()))
        .submitSessionTask(
            SubmitTaskRequest.newBuilder()
                .setSessionId(session)
                .setInput(SubmitTaskInput.newBuilder().setMessage(text(text)))
                .build())
        .getId();
  }

  String begin() {
    Task task = core.submit(session);
    return take(task.getId());
  }

  void takeNext() {
    worker.want(1);
    lease = worker.lease();
  }

  /** Has the worker take a task, and tell that it does. */
  String take(String expected) {
    takeNext();
    if (!lease.getTask().getId().equals(expected)) {
      throw new IllegalStateException("the lease of another task came");
    }
    var unused =
        core.workers()
            .heartbeat(
                HeartbeatRequest.newBuilder()
                    .addLeases(
                        HeldLease.newBuilder().setTaskId(expected).setFence(lease.getFence()))
                    .build());
    return expected;
  }

  /** Reports an artifact, whose id this returns, a fact and a word. */
  String report() {
    ReportStepRequest.Builder step =
        ReportStepRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence());
    String id =
        core.workers()
            .reportStep(
                step.setStepKey("file")
                    .setArtifact(
                        ArtifactReport.newBuilder()
                            .setKind(ArtifactKind.ARTIFACT_KIND_LOG)
                            .setMimeType("text/plain")
                            .setVisibility(Visibility.VISIBILITY_PUBLIC)
                            .setContent(ByteString.copyFrom(Uploading.noise(100_000))))
                    .build())
            .getStep()
            .getArtifact()
            .getId();
    core.workers()
        .reportStep(
            step.setStepKey("fact")
                .setDependency(
                    DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("{\"a\":1}")))
                .build());
    say();
    return id;
  }

  /** Reports a word. */
  void say() {
    var unused =
        core.workers()
            .reportStep(
                ReportStepRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setStepKey("word")
                    .setMessage(MessageReport.newBuilder().setMessage(text("working on it")))
                    .build());
  }

  void complete(String... artifacts) {
    var unused =
        core.workers()
            .completeTask(
                CompleteTaskRequest.newBuilder()
                    .addAllArtifactIds(List.of(artifacts))
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setSummary("done")
                    .setMessage(text("all done"))
                    .build());
  }

  void ask(int holdSeconds) {
    var unused =
        core.workers()
            .requestInput(
                WorkerRequests.question(lease).setHold(Durations.fromSeconds(holdSeconds)).build());
  }

  /** Asks for a permission, or uses one, and returns the request's id. */
  String may() {
    return core.workers()
        .requestPermission(
            WorkerRequests.permission(lease, "may")
                .setAction(
                    AskedAction.newBuilder()
                        .setKind("command")
                        .setTool("shell")
                        .setContent(ByteString.copyFromUtf8("{\"command\":\"ls\"}")))
                .build())
        .getRequestId();
  }

  /** Asks for permission for an action whose arguments may be replaced. */
  String change() {
    return core.workers()
        .requestPermission(
            WorkerRequests.permission(lease, "change")
                .setAcceptsModified(true)
                .setMetadata(ByteString.copyFromUtf8("{\"why\":\"to see\"}"))
                .setAction(
                    AskedAction.newBuilder()
                        .setKind("command")
                        .setTool("shell")
                        .setContent(ByteString.copyFromUtf8("{\"arguments\":{\"path\":\"a\"}}")))
                .build())
        .getRequestId();
  }

  /** Somebody else than the one whose worker asks. */
  private Channel approver() {
    return core.as(core.core().processCredential("default", "bob", Set.of("*")));
  }

  /** Approves an action with other arguments. */
  void approveOther(String request) {
    var unused =
        PermissionServiceGrpc.newBlockingStub(approver())
            .respondPermissionRequest(
                RespondPermissionRequestRequest.newBuilder()
                    .setRequestId(request)
                    .setApproved(true)
                    .setArguments(ByteString.copyFromUtf8("{\"path\":\"b\"}"))
                    .build());
  }

  /** Has a client asked to run a tool, or people whether one may be. */
  void host() {
    var unused =
        core.workers()
            .requestInput(
                RequestInputRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setStepKey("host")
                    .setPrompt("Show it.")
                    .setToolCall(
                        HostToolCall.newBuilder()
                            .setName("open_file")
                            .setInput(ByteString.copyFromUtf8("{}")))
                    .build());
  }

  String permissionOf(String task) {
    return PermissionServiceGrpc.newBlockingStub(core.owner())
        .listTaskPermissionRequests(
            ListTaskPermissionRequestsRequest.newBuilder().setTaskId(task).build())
        .getData(0)
        .getId();
  }

  String approve(String request) {
    return PermissionServiceGrpc.newBlockingStub(approver())
        .respondPermissionRequest(
            RespondPermissionRequestRequest.newBuilder()
                .setRequestId(request)
                .setApproved(true)
                .setGrant("this_action")
                .build())
        .getResponse()
        .getGrantId();
  }

  /** Has a receipt verified under an idempotency key, which records the result and an event. */
  void verifyReceipt(String task) {
    var unused =
        ReceiptServiceGrpc.newBlockingStub(core.withKey("verify " + task))
            .verifyReceipt(
                VerifyReceiptRequest.newBuilder()
                    .setReceiptId(core.task(task).getReceiptId())
                    .build());
  }

  void fail(boolean retryable) {
    var unused = core.workers().failTask(TestCore.failure(lease, retryable));
  }

  void cancel(String task) {
    var unused = core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
  }

  void say(String words) {
    var unused =
        MessageServiceGrpc.newBlockingStub(core.withKey("say " + words))
            .appendSessionMessage(
                AppendSessionMessageRequest.newBuilder()
                    .setSessionId(session)
                    .setMessage(text(words))
                    .build());
  }

  static MessageInput text(String words) {
    return MessageInput.newBuilder()
        .setRole(Role.ROLE_USER)
        .addParts(
            Part.newBuilder()
                .setText(
                    TextPart.newBuilder()
                        .setText(words)
                        .setVisibility(Visibility.VISIBILITY_PUBLIC)))
        .build();
  }

  @Override
  public void close() {
    worker.close();
  }
}
