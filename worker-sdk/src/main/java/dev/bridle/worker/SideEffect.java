package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.worker.v1.AgentHandoff;
import dev.bridle.worker.v1.CallStatus;
import dev.bridle.worker.v1.CommandRun;
import dev.bridle.worker.v1.FileOperation;
import dev.bridle.worker.v1.FileWrite;
import dev.bridle.worker.v1.HandoffStatus;
import dev.bridle.worker.v1.NetworkEgress;
import dev.bridle.worker.v1.SideEffectReport;
import dev.bridle.worker.v1.ToolCall;

/**
 * What a handler has changed or contacted outside of Bridle, as it is reported. Hashes are
 * `sha256:` and 64 lower-case hexadecimal digits; an empty one is unknown. Immutable.
 */
public final class SideEffect {
  private final SideEffectReport report;

  private SideEffect(SideEffectReport.Builder report) {
    this.report = report.build();
  }

  /** Returns the change of a file, with the hashes of its content before and after. */
  public static SideEffect fileWrite(
      String path, FileOperation operation, String before, String after) {
    return new SideEffect(
        SideEffectReport.newBuilder()
            .setFileWrite(
                FileWrite.newBuilder()
                    .setPath(path)
                    .setOperation(operation)
                    .setBeforeSha256(before)
                    .setAfterSha256(after)));
  }

  /** Returns the run of a command that has ended by itself; any exit code but 0 is a failure. */
  public static SideEffect command(String command, int exitCode) {
    return new SideEffect(
        SideEffectReport.newBuilder()
            .setCommand(
                CommandRun.newBuilder()
                    .setCommand(command)
                    .setStatus(
                        exitCode == 0
                            ? CallStatus.CALL_STATUS_SUCCEEDED
                            : CallStatus.CALL_STATUS_FAILED)
                    .setExitCode(exitCode)));
  }

  /** Returns the run of a command that has no exit code. */
  public static SideEffect command(String command, CallStatus status) {
    return new SideEffect(
        SideEffectReport.newBuilder()
            .setCommand(CommandRun.newBuilder().setCommand(command).setStatus(status)));
  }

  /** Returns data that was sent to a host or a URL, which must hold no secrets. */
  public static SideEffect networkEgress(String destination, String purpose) {
    return new SideEffect(
        SideEffectReport.newBuilder()
            .setNetworkEgress(
                NetworkEgress.newBuilder().setDestination(destination).setPurpose(purpose)));
  }

  /** Returns data that was sent, with the number of bytes. */
  public static SideEffect networkEgress(String destination, String purpose, long bytesSent) {
    return new SideEffect(
        SideEffectReport.newBuilder()
            .setNetworkEgress(
                NetworkEgress.newBuilder()
                    .setDestination(destination)
                    .setPurpose(purpose)
                    .setBytesSent(bytesSent)));
  }

  /** Returns work that was handed to another agent, as its task there. */
  public static SideEffect handoff(String targetAgent, String taskId, HandoffStatus status) {
    return handoff(targetAgent, taskId, status, "");
  }

  /** Returns work that was handed to another agent, with the receipt that it gave. */
  public static SideEffect handoff(
      String targetAgent, String taskId, HandoffStatus status, String receiptId) {
    return new SideEffect(
        SideEffectReport.newBuilder()
            .setHandoff(
                AgentHandoff.newBuilder()
                    .setTargetAgent(targetAgent)
                    .setTaskId(taskId)
                    .setStatus(status)
                    .setReceiptId(receiptId)));
  }

  /** Returns a call of a tool. */
  public static SideEffect toolCall(String tool, String callId, CallStatus status) {
    return toolCall(
        ToolCall.newBuilder().setTool(tool).setCallId(callId).setStatus(status).build());
  }

  /** Returns a call of a tool, with the hashes of its input and output. */
  public static SideEffect toolCall(
      String tool, String callId, CallStatus status, String inputHash, String outputHash) {
    return toolCall(
        ToolCall.newBuilder()
            .setTool(tool)
            .setCallId(callId)
            .setStatus(status)
            .setInputHash(inputHash)
            .setOutputHash(outputHash)
            .build());
  }

  private static SideEffect toolCall(ToolCall call) {
    return new SideEffect(SideEffectReport.newBuilder().setToolCall(call));
  }

  /**
   * Returns this tool call or network egress with custom metadata, a JSON object.
   *
   * @throws IllegalStateException if it is a side effect of another kind
   */
  public SideEffect withMetadata(JsonNode metadata) {
    SideEffectReport.Builder changed = report.toBuilder();
    switch (report.getSideEffectCase()) {
      case TOOL_CALL -> changed.getToolCallBuilder().setMetadata(Json.bytes(metadata));
      case NETWORK_EGRESS -> changed.getNetworkEgressBuilder().setMetadata(Json.bytes(metadata));
      default ->
          throw new IllegalStateException(
              "the side effect is "
                  + report.getSideEffectCase()
                  + ", expected TOOL_CALL or NETWORK_EGRESS");
    }
    return new SideEffect(changed);
  }

  SideEffectReport report() {
    return report;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SideEffect that && report.equals(that.report);
  }

  @Override
  public int hashCode() {
    return report.hashCode();
  }
}
