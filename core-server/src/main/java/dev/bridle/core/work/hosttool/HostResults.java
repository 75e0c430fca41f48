package dev.bridle.core.work.hosttool;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.ToolResultIntake;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.ToolResultPart;
import dev.bridle.message.v1.ToolResultStatus;
import dev.bridle.record.v1.HostCall;

/**
 * Validates and applies results of host tool calls: a message of the role {@code tool} with one
 * result and nothing else.
 */
public final class HostResults implements ToolResultIntake {
  private static final int MAX_OUTPUT_BYTES = 256 << 10;

  private final HostCalls calls;

  public HostResults(HostCalls calls) {
    this.calls = calls;
  }

  @Override
  public void validate(TaskChange change, MessageInput message) {
    boolean results = message.getPartsList().stream().anyMatch(Part::hasToolResult);
    if (!change.record().hasHostCall()) {
      if (results) {
        throw ProtocolException.of(
                ErrorCode.ERROR_CODE_CONFLICT,
                "The task waits for an answer to a question, not for a tool result.")
            .blaming("message.parts");
      }
      return;
    }
    HostCall call = change.record().getHostCall();
    if (message.getRole() != Role.ROLE_TOOL) {
      throw ProtocolException.invalid(
              "message.role", "must be 'tool': the task waits for a tool's result")
          .with("tool_call_id", call.getToolCallId());
    }
    if (!results || message.getPartsCount() != 1) {
      throw ProtocolException.invalid(
              "message.parts", "must be one part of the type 'tool_result', and nothing else")
          .with("tool_call_id", call.getToolCallId());
    }
    ToolResultPart result = message.getParts(0).getToolResult();
    if (!result.getToolCallId().equals(call.getToolCallId())) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT, "The task waits for the result of another call.")
          .with("tool_call_id", call.getToolCallId())
          .blaming("message.parts");
    }
    if (result.getOutput().size() > MAX_OUTPUT_BYTES) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "The tool's output is too long.")
          .with("max_bytes", MAX_OUTPUT_BYTES)
          .blaming("message.parts");
    }
  }

  @Override
  public void accept(TaskChange change, Message message) {
    if (!change.record().hasHostCall()) {
      return;
    }
    HostCall call = change.record().getHostCall();
    boolean ok =
        message.getParts(0).getToolResult().getStatus() == ToolResultStatus.TOOL_RESULT_STATUS_OK;
    change.emit(
        EventDraft.of(
            ok ? EventKinds.TOOL_COMPLETED : EventKinds.TOOL_FAILED,
            HostCalls.facts(call, change.record().getQuestionStepKey())
                .text("message_id", message.getId())
                .text("reason", ok ? "" : "tool_error")));
    calls.close(change, ok ? HostCalls.SUCCEEDED : HostCalls.FAILED);
  }
}
