package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.permission.PermissionExpiry;
import dev.bridle.core.work.permission.PermissionGate;
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
 * Handles input that workers request: answers to questions, and results of tools that clients run.
 * A tool call must first be allowed by {@link PermissionGate}; the permission is consumed in the
 * transaction that requests the result, so that neither happens without the other.
 */
final class InputRequests {
  /** The action kind of host tools, which personas name as a capability. */
  private static final String KIND = "host_tool";

  private final PermissionGate gate;
  private final Questions questions;
  private final HostCalls calls;
  private final PermissionExpiry expiry;

  InputRequests(
      PermissionGate gate, Questions questions, HostCalls calls, PermissionExpiry expiry) {
    this.gate = gate;
    this.questions = questions;
    this.calls = calls;
    this.expiry = expiry;
  }

  /**
   * Withdraws the question or permission request that the task waits for under this key; returns
   * whether it waits for it.
   */
  boolean withdraw(TaskChange change, String stepKey) {
    return expiry.withdraw(change, stepKey) || questions.withdraw(change, stepKey);
  }

  /**
   * Ends the permission request that the task waits for under this key, since another one takes its
   * place; returns whether it waits for it.
   */
  boolean change(TaskChange change, String stepKey) {
    return expiry.change(change, stepKey);
  }

  /**
   * Returns the recorded answer, or a pending response if the task already waits for this question
   * or tool call; empty otherwise.
   */
  Optional<RequestInputResponse> known(TaskChange change, RequestInputRequest request) {
    Optional<RequestInputResponse> known = questions.known(change, request);
    return known.isPresent() || !request.hasToolCall()
        ? known
        : gate.pendingResponse(change, action(request)).map(InputRequests::verdict);
  }

  /** Returns the response if an earlier decision that is still in force denies the call. */
  Optional<RequestInputResponse> refused(TaskChange change, RequestInputRequest request) {
    if (!request.hasToolCall()) {
      return Optional.empty();
    }
    return gate.earlierDecision(change, action(request))
        .filter(known -> !allowed(known))
        .map(InputRequests::verdict);
  }

  /**
   * Opens a question; or asks for permission for a tool call; or, once allowed, requests the call
   * from clients.
   */
  RequestInputResponse ask(TaskChange change, RequestInputRequest request) {
    if (!request.hasToolCall()) {
      return questions.open(change, request);
    }
    RequestPermissionRequest action = action(request);
    RequestPermissionResponse decision =
        gate.earlierDecision(change, action).orElseGet(() -> gate.decide(change, action));
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

  /** Returns the response about a tool call that is not allowed. */
  static RequestInputResponse verdict(RequestPermissionResponse decision) {
    RequestInputResponse.Builder response =
        RequestInputResponse.newBuilder().setVerdict(decision.getVerdict());
    if (decision.hasReason()) {
      response.setReason(decision.getReason());
    }
    return response.build();
  }

  /** Returns the request for permission of a tool call. */
  static RequestPermissionRequest action(RequestInputRequest request) {
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
