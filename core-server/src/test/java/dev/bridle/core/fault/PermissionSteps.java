package dev.bridle.core.fault;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.ToolResultPart;
import dev.bridle.message.v1.ToolResultStatus;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.ReportDivergenceRequest;
import dev.bridle.worker.v1.ReportDivergenceResponse;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import dev.bridle.worker.v1.WithdrawalReason;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import java.time.Duration;
import java.util.List;

/** Questions of workers that people and clients answer: permissions, and tools of clients. */
final class PermissionSteps {
  private PermissionSteps() {}

  /** Asks for a tool that nobody may take longer for than five seconds. */
  static RequestInputResponse hostTool(World world, TaskLease lease, String step) {
    RequestInputRequest request =
        RequestInputRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .setStepKey(step)
            .setPrompt("Show it.")
            .setToolCall(
                HostToolCall.newBuilder()
                    .setName("open_file")
                    .setInput(ByteString.copyFromUtf8("{\"path\":\"a\"}"))
                    .setTimeout(Durations.fromSeconds(5)))
            .build();
    return world.call(
        "host tool", channel -> WorkerServiceGrpc.newBlockingStub(channel).requestInput(request));
  }

  /** Answers the first call of a task's tools. */
  static String hostResult(World world, String task, String key) {
    List<Event> events =
        world
            .call(
                "events",
                channel ->
                    EventServiceGrpc.newBlockingStub(channel)
                        .listTaskEvents(
                            ListTaskEventsRequest.newBuilder()
                                .setTaskId(task)
                                .setLimit(200)
                                .build()))
            .getDataList();
    String asked =
        events.stream()
            .filter(event -> event.getEvent().equals("tool.requested"))
            .map(event -> event.getPayload().toStringUtf8())
            .findFirst()
            .orElseThrow();
    int from = asked.indexOf("\"call_") + 1;
    AppendTaskMessageRequest request =
        AppendTaskMessageRequest.newBuilder()
            .setTaskId(task)
            .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
            .setMessage(
                MessageInput.newBuilder()
                    .setRole(Role.ROLE_TOOL)
                    .addParts(
                        Part.newBuilder()
                            .setToolResult(
                                ToolResultPart.newBuilder()
                                    .setToolCallId(asked.substring(from, asked.indexOf('"', from)))
                                    .setOutput(ByteString.copyFromUtf8("true"))
                                    .setStatus(ToolResultStatus.TOOL_RESULT_STATUS_OK)
                                    .setVisibility(Visibility.VISIBILITY_PUBLIC))))
            .build();
    return world
        .callOnce(
            "host result",
            key,
            channel -> TaskServiceGrpc.newBlockingStub(channel).appendTaskMessage(request))
        .getId();
  }

  /** Returns the permission request that a task waits with. */
  static String pending(World world, String task) {
    return world
        .call(
            "pending",
            channel ->
                PermissionServiceGrpc.newBlockingStub(channel)
                    .listTaskPermissionRequests(
                        ListTaskPermissionRequestsRequest.newBuilder().setTaskId(task).build()))
        .getData(0)
        .getId();
  }

  static RequestPermissionResponse may(World world, TaskLease lease, Duration timeout) {
    RequestPermissionRequest request =
        WorkerRequests.permission(lease, "may")
            .setTimeout(Durations.fromMillis(timeout.toMillis()))
            .setAction(
                AskedAction.newBuilder()
                    .setKind("command")
                    .setTool("shell")
                    .setContent(ByteString.copyFromUtf8("{\"command\":\"ls\"}")))
            .build();
    return world.call(
        "permission",
        channel -> WorkerServiceGrpc.newBlockingStub(channel).requestPermission(request));
  }

  /** Says that the action of {@link #may} is another one by now. */
  static void change(World world, TaskLease lease) {
    WithdrawQuestionRequest request =
        WithdrawQuestionRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .setStepKey("may")
            .setReason(WithdrawalReason.WITHDRAWAL_REASON_CHANGED)
            .build();
    var unused =
        world.call(
            "change",
            channel -> WorkerServiceGrpc.newBlockingStub(channel).withdrawQuestion(request));
  }

  /** Asks for the action that has taken the place of that of {@link #may}. */
  static RequestPermissionResponse instead(World world, TaskLease lease) {
    RequestPermissionRequest request =
        WorkerRequests.permission(lease, "instead")
            .setReplaces("may")
            .setAction(
                AskedAction.newBuilder()
                    .setKind("command")
                    .setTool("shell")
                    .setContent(ByteString.copyFromUtf8("{\"command\":\"ls\",\"cwd\":\"/srv\"}")))
            .build();
    return world.call(
        "permission",
        channel -> WorkerServiceGrpc.newBlockingStub(channel).requestPermission(request));
  }

  /** Reports that the action of {@link #instead} was done otherwise. */
  static ReportDivergenceResponse diverge(World world, TaskLease lease) {
    ReportDivergenceRequest request =
        ReportDivergenceRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .setStepKey("divergence")
            .setQuestionStepKey("instead")
            .setTitle("ls")
            .setDifference(ByteString.copyFromUtf8("{\"cwd\":{\"acted\":\"/etc\"}}"))
            .build();
    return world.call(
        "divergence",
        channel -> WorkerServiceGrpc.newBlockingStub(channel).reportDivergence(request));
  }

  static PermissionRequest approve(World world, String permission, String grant, String key) {
    RespondPermissionRequestRequest request =
        RespondPermissionRequestRequest.newBuilder()
            .setRequestId(permission)
            .setApproved(true)
            .setGrant(grant)
            .build();
    return world.approveOnce(
        "approve",
        key,
        channel ->
            PermissionServiceGrpc.newBlockingStub(channel).respondPermissionRequest(request));
  }
}
