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
 * Tools that workers ask clients to run. Each call is an action that {@link Asking} has to allow
 * first; the transaction that uses the permission up is the one that asks the clients, so that
 * neither is there without the other.
 */
final class HostTools {
  /** The kind of such actions, which personas name as a capability. */
  private static final String KIND = "host_tool";

  private final Asking asking;
  private final Questions questions;
  private final HostCalls calls;

  HostTools(Asking asking, Questions questions, HostCalls calls) {
    this.asking = asking;
    this.questions = questions;
    this.calls = calls;
  }

  /** Returns the answer where the task waits already for this very call to be allowed. */
  Optional<RequestInputResponse> waits(TaskChange change, RequestInputRequest request) {
    return asking.waits(change, action(request)).map(HostTools::told);
  }

  /** Returns the answer where it was decided before, and holds, that the call may not be done. */
  Optional<RequestInputResponse> refused(TaskChange change, RequestInputRequest request) {
    return asking
        .known(change, action(request))
        .filter(known -> !allowed(known))
        .map(HostTools::told);
  }

  /** Asks people whether the call may be done, or, where it may, clients to do it. */
  RequestInputResponse ask(TaskChange change, RequestInputRequest request) {
    RequestPermissionRequest action = action(request);
    RequestPermissionResponse decision =
        asking.known(change, action).orElseGet(() -> asking.answer(change, action));
    if (!allowed(decision)) {
      return told(decision);
    }
    HostCall call = calls.open(change, request);
    questions.begin(change, request, Payload.of().text("tool_call_id", call.getToolCallId()));
    return RequestInputResponse.getDefaultInstance();
  }

  private static boolean allowed(RequestPermissionResponse decision) {
    return decision.getVerdict() == PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  }

  private static RequestInputResponse told(RequestPermissionResponse decision) {
    RequestInputResponse.Builder told =
        RequestInputResponse.newBuilder().setVerdict(decision.getVerdict());
    if (decision.hasReason()) {
      told.setReason(decision.getReason());
    }
    return told.build();
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
