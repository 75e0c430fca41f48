package dev.bridle.core.work.dispatch;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.server.TestCore;
import dev.bridle.event.v1.Event;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.ToolResultPart;
import dev.bridle.message.v1.ToolResultStatus;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HostToolTest extends LeasedTasks {
  @Test
  void aToolIsAskedForOnceAndItsResultIsThereOnTheRerun() {
    TaskLease lease = begin(persona(AutonomyTier.AUTONOMY_TIER_ACT_AUTO));
    String task = lease.getTask().getId();
    assertThat(run(lease).hasAnswer()).isFalse();
    assertThat(run(lease).hasAnswer()).as("asked twice, as after an unknown answer").isFalse();
    assertThat(status(task)).isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
    String payload = only(task, "tool.requested").getPayload().toStringUtf8();
    assertThat(payload)
        .contains(
            "\"name\":\"open_file\"",
            "\"mediated_by\":\"host\"",
            "\"input\":{\"path\":\"a\"}",
            "\"prompt\":\"Show it.\"",
            "\"expires_at\":");
    assertThat(only(task, "task.input_required").getPayload().toStringUtf8())
        .contains(called(task));

    answer(task, result(called(task), "\"opened\""));

    TaskLease rerun = next();
    assertThat(rerun.getAttempt()).isEqualTo(1);
    var given = run(rerun).getAnswer().getParts(0).getToolResult();
    assertThat(given.getOutput().toStringUtf8()).isEqualTo("\"opened\"");
    complete(rerun, "done");
    assertThat(core.kindsOf(task))
        .containsExactly(
            "task.submitted",
            "task.started",
            "vendor.bridle.action_allowed",
            "tool.requested",
            "task.input_required",
            "user.input_submitted",
            "tool.completed",
            "task.status_changed",
            "task.completed");
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION,
        "",
        () -> answer(task, result(called(task), "1")));
  }

  @Test
  void theNextHolderOfALostLeaseGetsTheSameResult() {
    TaskLease lease = begin(persona(AutonomyTier.AUTONOMY_TIER_ACT_AUTO));
    String task = lease.getTask().getId();
    var unused = run(lease);
    answer(task, result(called(task), "{\"lines\":3}"));
    fail(next(), true);

    TaskLease again = next();
    assertThat(run(again).getAnswer().getParts(0).getToolResult().getOutput().toStringUtf8())
        .isEqualTo("{\"lines\":3}");
    assertThat(core.kindsOf(task)).containsOnlyOnce("tool.requested", "tool.completed");
    complete(again, "done");
  }

  @Test
  void onlyTheResultOfThisVeryCallIsTaken() {
    String task = asked();
    String call = called(task);

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "message.role",
        () -> core.tasks().appendTaskMessage(TestCore.answer(task, "it is open")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "message.parts",
        () -> answer(task, message(result(call, "1"), result(call, "2"))));
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "message.parts",
        () -> answer(task, result("call_other", "1")));
    assertRefused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
        "message.parts",
        () -> answer(task, result(call, "\"" + "x".repeat(256 << 10) + "\"")));

    assertThat(status(task)).isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
    assertThat(core.kindsOf(task)).doesNotContain("tool.completed", "tool.failed");
    answer(task, result(call, "1"));
    assertThat(status(task)).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
  }

  @Test
  void aQuestionTakesNoResultOfATool() {
    core.submit(session);
    TaskLease lease = next();
    String task = lease.getTask().getId();
    var unused = core.workers().requestInput(question(lease, 0));

    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "message.parts",
        () -> answer(task, result("call_late", "1")));
    assertThat(status(task)).isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
  }

  @Test
  void aToolThatFailedIsToldSoAndIsAnAnswer() {
    String task = asked();
    answer(
        task,
        message(
            result(called(task), "\"no such file\"").toBuilder()
                .setStatus(ToolResultStatus.TOOL_RESULT_STATUS_ERROR)
                .build()));

    TaskLease rerun = next();
    assertThat(run(rerun).getAnswer().getParts(0).getToolResult().getStatus())
        .isEqualTo(ToolResultStatus.TOOL_RESULT_STATUS_ERROR);
    assertThat(only(task, "tool.failed").getPayload().toStringUtf8()).contains("tool_error");
    complete(rerun, "done");
  }

  @Test
  void whatNobodyAnswersInTimeIsToldToEveryLaterRun() {
    TaskLease lease = begin(persona(AutonomyTier.AUTONOMY_TIER_ACT_AUTO));
    String task = lease.getTask().getId();
    RequestInputRequest.Builder asked = call(lease);
    asked.getToolCallBuilder().setTimeout(Durations.fromMillis(100));
    assertThat(core.workers().requestInput(asked.build()).getTimedOut()).isFalse();

    TaskLease rerun = next();
    assertThat(run(rerun).getTimedOut()).isTrue();
    assertThat(only(task, "tool.failed").getPayload().toStringUtf8()).contains("timed_out");
    fail(rerun, true);
    TaskLease later = next();
    assertThat(run(later).getTimedOut()).isTrue();
    complete(later, "done");
  }

  @Test
  void aCallEndsWithItsTask() {
    String task = asked();
    var unused = cancel(task);

    assertThat(status(task)).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    assertThat(only(task, "tool.failed").getPayload().toStringUtf8()).contains("task_ended");
  }

  @Test
  void peopleDecideFirstWhereNothingElseDoesAndTheApprovalIsForThisCall() {
    core.submit(session);
    TaskLease lease = next();
    String task = lease.getTask().getId();
    assertThat(run(lease).getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    assertThat(run(lease).getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    assertThat(status(task)).isEqualTo(TaskStatus.TASK_STATUS_AUTH_REQUIRED);
    assertThat(core.kindsOf(task)).doesNotContain("tool.requested");
    PermissionRequest request = permission(task);
    assertThat(request.getAction().getKind()).isEqualTo("host_tool");
    assertThat(request.getAction().getTool()).isEqualTo("open_file");

    decide(request, true);

    TaskLease allowed = next();
    assertThat(run(allowed).hasAnswer()).isFalse();
    assertThat(status(task)).isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
    assertThat(core.kindsOf(task))
        .containsSubsequence("vendor.bridle.permission_used", "tool.requested");
    answer(task, result(called(task), "1"));
    TaskLease answered = next();
    assertThat(run(answered).hasAnswer()).isTrue();
    complete(answered, "done");
  }

  @Test
  void whatPeopleDenyIsNotAskedForInAnyRun() {
    core.submit(session);
    TaskLease lease = next();
    String task = lease.getTask().getId();
    var unused = run(lease);
    decide(permission(task), false);

    TaskLease denied = next();
    assertThat(run(denied).getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_DENIED);
    fail(denied, true);
    TaskLease later = next();
    assertThat(run(later).getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_DENIED);
    assertThat(core.kindsOf(task)).doesNotContain("tool.requested");
    complete(later, "done");
  }

  @Test
  void aPersonaDecidesBeforeAnybodyIsAsked() {
    CreatePersonaRequest.Builder auto = persona(AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
    assertThat(verdict(auto.clone().addTools("git"), "tool.denied"))
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_DENIED);
    assertThat(verdict(auto.clone().addCapabilities("edit"), "tool.denied"))
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_DENIED);
    assertThat(verdict(persona(AutonomyTier.AUTONOMY_TIER_SHADOW), "vendor.bridle.action_shadowed"))
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_SHADOWED);
    assertThat(
            verdict(persona(AutonomyTier.AUTONOMY_TIER_SUGGEST), "vendor.bridle.action_proposed"))
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_PROPOSED);
  }

  @Test
  void aWorkerCanNotTellAnEventThatLooksLikeARequestToClients() {
    core.submit(session);
    TaskLease lease = next();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "event.payload",
        () ->
            core.workers()
                .reportStep(
                    ReportStepRequest.newBuilder()
                        .setTaskId(lease.getTask().getId())
                        .setFence(lease.getFence())
                        .setStepKey("forged")
                        .setEvent(
                            EventReport.newBuilder()
                                .setEvent("tool.requested")
                                .setPayload(
                                    ByteString.copyFromUtf8(
                                        "{\"a\":{\"b\":[1]},\"mediated_by\":\"host\"}")))
                        .build()));
    complete(lease, "done");
  }

  private PermissionVerdict verdict(CreatePersonaRequest.Builder persona, String told) {
    TaskLease lease = begin(persona);
    PermissionVerdict verdict = run(lease).getVerdict();
    assertThat(run(lease).getVerdict()).as("asked twice").isEqualTo(verdict);
    assertThat(core.kindsOf(lease.getTask().getId()))
        .containsOnlyOnce(told)
        .doesNotContain("tool.requested");
    complete(lease, "done");
    return verdict;
  }

  private String asked() {
    TaskLease lease = begin(persona(AutonomyTier.AUTONOMY_TIER_ACT_AUTO));
    var unused = run(lease);
    return lease.getTask().getId();
  }

  private static CreatePersonaRequest.Builder persona(AutonomyTier tier) {
    return CreatePersonaRequest.newBuilder()
        .setName("Host")
        .setVersion("1")
        .setEntryWorkflow("host.harn")
        .setDescription("Asks the host.")
        .setAutonomyTier(tier)
        .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_OPTIONAL);
  }

  private TaskLease begin(CreatePersonaRequest.Builder persona) {
    String id =
        PersonaServiceGrpc.newBlockingStub(core.owner()).createPersona(persona.build()).getId();
    String of =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .createSession(
                CreateSessionRequest.newBuilder()
                    .setWorkspaceId("default")
                    .setPersonaId(id)
                    .build())
            .getId();
    core.submit(of);
    return next();
  }

  private TaskLease next() {
    worker.want(1);
    return worker.lease();
  }

  private RequestInputResponse run(TaskLease lease) {
    return core.workers().requestInput(call(lease).build());
  }

  private static RequestInputRequest.Builder call(TaskLease lease) {
    return RequestInputRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey("host")
        .setPrompt("Show it.")
        .setToolCall(
            HostToolCall.newBuilder()
                .setName("open_file")
                .setInput(ByteString.copyFromUtf8("{\"path\":\"a\"}")));
  }

  private PermissionRequest permission(String task) {
    return PermissionServiceGrpc.newBlockingStub(core.owner())
        .listTaskPermissionRequests(
            ListTaskPermissionRequestsRequest.newBuilder().setTaskId(task).build())
        .getData(0);
  }

  private void decide(PermissionRequest request, boolean approved) {
    var channel = core.as(core.core().processCredential("default", "ada", Set.of("*")));
    var unused =
        PermissionServiceGrpc.newBlockingStub(channel)
            .respondPermissionRequest(
                RespondPermissionRequestRequest.newBuilder()
                    .setRequestId(request.getId())
                    .setApproved(approved)
                    .build());
  }

  private Event only(String task, String kind) {
    List<Event> found =
        core.eventsOf(task).stream().filter(event -> event.getEvent().equals(kind)).toList();
    assertThat(found).as(kind).hasSize(1);
    return found.get(0);
  }

  private String called(String task) {
    String payload = only(task, "tool.requested").getPayload().toStringUtf8();
    int from = payload.indexOf("\"call_") + 1;
    return payload.substring(from, payload.indexOf('"', from));
  }

  private TaskStatus status(String task) {
    return core.task(task).getStatus();
  }

  private void answer(String task, ToolResultPart result) {
    answer(task, message(result));
  }

  private void answer(String task, MessageInput message) {
    var unused =
        core.tasks()
            .appendTaskMessage(
                AppendTaskMessageRequest.newBuilder()
                    .setTaskId(task)
                    .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
                    .setMessage(message)
                    .build());
  }

  private static MessageInput message(ToolResultPart... results) {
    MessageInput.Builder message = MessageInput.newBuilder().setRole(Role.ROLE_TOOL);
    for (ToolResultPart result : results) {
      message.addParts(Part.newBuilder().setToolResult(result));
    }
    return message.build();
  }

  private static ToolResultPart result(String call, String output) {
    return ToolResultPart.newBuilder()
        .setToolCallId(call)
        .setOutput(ByteString.copyFromUtf8(output))
        .setStatus(ToolResultStatus.TOOL_RESULT_STATUS_OK)
        .setVisibility(Visibility.VISIBILITY_PUBLIC)
        .build();
  }
}
