package dev.bridle.core.work.permission;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.message.v1.JsonPart;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.permission.v1.GetPermissionRequestRequest;
import dev.bridle.permission.v1.ListPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Channel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A core with a worker that asks for permissions, and people who answer, in words. */
public abstract class AskedTasks {
  @TempDir protected Path directory;
  protected TestCore core;
  protected TestWorker worker;
  protected String session;

  @BeforeEach
  protected final void start() {
    core = TestCore.start(directory, all -> core(all.withTasks(options())));
    worker = new TestWorker(core.owner(), "", "w1");
    session = core.newSession();
  }

  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  /** Returns the options of the core, from those that all such tests have. */
  protected CoreOptions core(CoreOptions options) {
    return options;
  }

  @AfterEach
  protected final void stop() {
    core.close();
  }

  /** Submits a task and returns its first lease. */
  protected final TaskLease begin() {
    Task task = core.submit(session);
    return next(task.getId());
  }

  /** Returns the next lease of a task. */
  protected final TaskLease next(String task) {
    worker.want(1);
    TaskLease lease = worker.lease();
    if (!lease.getTask().getId().equals(task)) {
      throw new AssertionError("the lease of another task came");
    }
    return lease;
  }

  protected static RequestPermissionRequest.Builder wanted(
      TaskLease lease, String step, String command) {
    return WorkerRequests.permission(lease, step)
        .setAction(
            AskedAction.newBuilder()
                .setKind("command")
                .setTool("shell")
                .setTitle("Run " + command)
                .setContent(ByteString.copyFromUtf8("{\"command\":\"" + command + "\"}")))
        .addOptions(option("yes", PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE))
        .addOptions(option("always", PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ALWAYS))
        .addOptions(option("no", PermissionOptionKind.PERMISSION_OPTION_KIND_REJECT_ONCE));
  }

  private static PermissionOption option(String id, PermissionOptionKind kind) {
    return PermissionOption.newBuilder().setId(id).setName(id).setKind(kind).build();
  }

  protected final RequestPermissionResponse ask(TaskLease lease, String step, String command) {
    return ask(wanted(lease, step, command));
  }

  protected final RequestPermissionResponse ask(RequestPermissionRequest.Builder wanted) {
    return core.workers().requestPermission(wanted.build());
  }

  protected static RequestPermissionRequest.Builder within(
      RequestPermissionRequest.Builder wanted, Duration timeout) {
    return wanted.setTimeout(Durations.fromMillis(timeout.toMillis()));
  }

  /** Returns a channel of an actor who may do all. */
  protected final Channel as(String actor) {
    return core.as(core.core().processCredential("default", actor, Set.of("*")));
  }

  protected final PermissionServiceGrpc.PermissionServiceBlockingStub people() {
    return PermissionServiceGrpc.newBlockingStub(core.owner());
  }

  protected final PermissionRequest respond(
      String actor, RespondPermissionRequestRequest.Builder said) {
    return PermissionServiceGrpc.newBlockingStub(as(actor)).respondPermissionRequest(said.build());
  }

  protected final PermissionRequest approve(String actor, String request) {
    return respond(actor, said(request).setApproved(true));
  }

  protected final PermissionRequest deny(String actor, String request) {
    return respond(actor, said(request).setApproved(false));
  }

  protected static RespondPermissionRequestRequest.Builder said(String request) {
    return RespondPermissionRequestRequest.newBuilder().setRequestId(request);
  }

  protected final PermissionRequest read(String id) {
    return people()
        .getPermissionRequest(GetPermissionRequestRequest.newBuilder().setRequestId(id).build());
  }

  protected final PermissionRequest pendingOf(String task) {
    return people()
        .listPermissionRequests(
            ListPermissionRequestsRequest.newBuilder()
                .setTaskId(task)
                .setStatus(PermissionStatus.PERMISSION_STATUS_PENDING)
                .build())
        .getData(0);
  }

  protected static AppendTaskMessageRequest confirmation(String task, String json) {
    return AppendTaskMessageRequest.newBuilder()
        .setTaskId(task)
        .setKind(TaskMessageKind.TASK_MESSAGE_KIND_TOOL_CONFIRMATION)
        .setMessage(
            MessageInput.newBuilder()
                .setRole(Role.ROLE_USER)
                .addParts(
                    Part.newBuilder()
                        .setJson(
                            JsonPart.newBuilder()
                                .setValue(ByteString.copyFromUtf8(json))
                                .setVisibility(Visibility.VISIBILITY_PUBLIC))))
        .build();
  }
}
