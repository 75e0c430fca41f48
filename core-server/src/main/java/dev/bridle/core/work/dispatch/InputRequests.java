package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.permission.Asking;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.record.v1.HostCall;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.util.Optional;

/**
 * Input that workers request: answers to questions, and results of tools that clients run. A tool
 * call is an action that {@link Asking} has to allow first; the transaction that uses the
 * permission up is the one that requests the result, so that neither is there without the other.
 */
final class InputRequests {
  /** The kind of such actions, which personas name as a capability. */
  private static final String KIND = "host_tool";

  private final Asking asking;
  private final Questions questions;
  private final HostCalls calls;

  InputRequests(Asking asking, Questions questions, HostCalls calls) {
    this.asking = asking;
    this.questions = questions;
    this.calls = calls;
  }

  /**
   * Returns the answer that is recorded, or that the task waits for already, if any: to a question,
   * or to whether a tool call is allowed.
   */
  Optional<RequestInputResponse> known(TaskChange change, RequestInputRequest request) {
    Optional<RequestInputResponse> known = questions.known(change, request);
    return known.isPresent() || !request.hasToolCall()
        ? known
        : asking.waits(change, action(request)).map(InputRequests::verdict);
  }

  /** Returns the answer where it was decided before, and holds, that the call may not be done. */
  Optional<RequestInputResponse> refused(TaskChange change, RequestInputRequest request) {
    if (!request.hasToolCall()) {
      return Optional.empty();
    }
    return asking
        .known(change, action(request))
        .filter(known -> !allowed(known))
        .map(InputRequests::verdict);
  }

  /**
   * Asks a question, or people whether a tool call may be done, or, where it may, clients to do it.
   */
  RequestInputResponse ask(TaskChange change, RequestInputRequest request) {
    if (!request.hasToolCall()) {
      return questions.ask(change, request);
    }
    RequestPermissionRequest action = action(request);
    RequestPermissionResponse decision =
        asking.known(change, action).orElseGet(() -> asking.answer(change, action));
    if (!allowed(decision)) {
      return verdict(decision);
    }
    HostCall call = calls.open(change, request);
    questions.begin(change, request, Payload.of().text("tool_call_id", call.getToolCallId()));
    return RequestInputResponse.getDefaultInstance();
  }

  private static boolean allowed(RequestPermissionResponse decision) {
    return decision.getVerdict() == PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  }

  private static RequestInputResponse verdict(RequestPermissionResponse decision) {
    RequestInputResponse.Builder response =
        RequestInputResponse.newBuilder().setVerdict(decision.getVerdict());
    if (decision.hasReason()) {
      response.setReason(decision.getReason());
    }
    return response.build();
  }

  private static RequestPermissionRequest action(RequestInputRequest request) {
    HostToolCall call = request.getToolCall();
    AskedAction.Builder action =
        AskedAction.newBuilder().setKind(KIND).setTool(call.getName()).setContent(call.getInput());
    if (call.hasSideEffect()) {
      action.setSideEffect(call.getSideEffect());
    }
    return RequestPermissionRequest.newBuilder()
        .setTaskId(request.getTaskId())
        .setFence(request.getFence())
        .setStepKey(request.getStepKey())
        .setSource(PermissionSource.PERMISSION_SOURCE_ACP)
        .setAction(action)
        .setPrompt(request.getPrompt())
        .setHold(request.getHold())
        .build();
  }
}
