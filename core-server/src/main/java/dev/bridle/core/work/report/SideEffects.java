package dev.bridle.core.work.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.proof.schema.ReceiptSchema;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.worker.v1.AgentHandoff;
import dev.bridle.worker.v1.CommandRun;
import dev.bridle.worker.v1.FileWrite;
import dev.bridle.worker.v1.NetworkEgress;
import dev.bridle.worker.v1.SideEffectReport;
import dev.bridle.worker.v1.ToolCall;

/** Applies reports of side effects: each is an event that has the receipt's part of it. */
final class SideEffects {
  private static final ReceiptSchema FILE_WRITE = ReceiptSchema.definition("fileWrite");
  private static final ReceiptSchema NETWORK_EGRESS = ReceiptSchema.definition("networkEgress");
  private static final ReceiptSchema TOOL_CALL = ReceiptSchema.definition("toolCall");
  private static final ReceiptSchema HANDOFF = ReceiptSchema.definition("a2aHandoff");

  private SideEffects() {}

  static void add(TaskChange change, String stepKey, SideEffectReport report) {
    switch (report.getSideEffectCase()) {
      case FILE_WRITE ->
          add(
              change,
              EventKinds.FILE_WRITTEN,
              TaskFactKind.TASK_FACT_KIND_FILE_WRITE,
              fileWrite(report.getFileWrite()));
      case COMMAND -> command(change, stepKey, report.getCommand());
      case NETWORK_EGRESS -> egress(change, networkEgress(report.getNetworkEgress()));
      case HANDOFF ->
          add(
              change,
              EventKinds.HANDED_OFF,
              TaskFactKind.TASK_FACT_KIND_HANDOFF,
              handoff(report.getHandoff()));
      case TOOL_CALL ->
          add(
              change,
              EventKinds.TOOL_CALLED,
              TaskFactKind.TASK_FACT_KIND_TOOL_CALL,
              toolCall(report.getToolCall()));
      case SIDEEFFECT_NOT_SET ->
          throw ProtocolException.invalid(
              "side_effect",
              "must set exactly one of: file_write, command, network_egress, handoff, tool_call");
    }
  }

  /** Emits the event of a side effect, and keeps the same part for the receipt. */
  private static void add(TaskChange change, String kind, TaskFactKind list, ObjectNode part) {
    ByteString canonical = ReceiptParts.canonical(part);
    change.emit(new EventDraft(kind, canonical));
    change.facts().add(list, canonical, ByteString.EMPTY);
  }

  /** A receipt can't be changed later, so the purpose, which is free text, stays in the event. */
  private static void egress(TaskChange change, ObjectNode part) {
    change.emit(new EventDraft(EventKinds.NETWORK_EGRESS, ReceiptParts.canonical(part)));
    part.put("purpose", ReceiptParts.REDACTED);
    change
        .facts()
        .add(
            TaskFactKind.TASK_FACT_KIND_NETWORK_EGRESS,
            ReceiptParts.canonical(part),
            change.newestCommitment());
  }

  private static ObjectNode fileWrite(FileWrite write) {
    ObjectNode part =
        ReceiptParts.part()
            .put("path", write.getPath())
            .put("operation", ReceiptParts.spell(write.getOperation(), "FILE_OPERATION_"));
    ReceiptParts.text(part, "before_sha256", write.getBeforeSha256());
    ReceiptParts.text(part, "after_sha256", write.getAfterSha256());
    ReceiptParts.check(FILE_WRITE, part, "side_effect.file_write");
    return part;
  }

  /** A receipt lists a command as a call of a tool; its text stays in the event. */
  private static void command(TaskChange change, String stepKey, CommandRun run) {
    String status = ReceiptParts.spell(run.getStatus(), "CALL_STATUS_");
    ObjectNode part =
        ReceiptParts.part().put("tool", "command").put("call_id", stepKey).put("status", status);
    ReceiptParts.check(TOOL_CALL, part, "side_effect.command");
    ObjectNode facts = ReceiptParts.part().put("command", run.getCommand()).put("status", status);
    if (run.hasExitCode()) {
      facts.put("exit_code", run.getExitCode());
    }
    change.emit(new EventDraft(EventKinds.COMMAND_RUN, ReceiptParts.canonical(facts)));
    part.put("input_hash", Commitment.spell(change.newestCommitment()));
    change
        .facts()
        .add(TaskFactKind.TASK_FACT_KIND_TOOL_CALL, ReceiptParts.canonical(part), ByteString.EMPTY);
  }

  private static ObjectNode networkEgress(NetworkEgress egress) {
    ObjectNode part =
        ReceiptParts.part()
            .put("destination", egress.getDestination())
            .put("purpose", egress.getPurpose());
    if (egress.hasBytesSent()) {
      part.put("bytes_sent", egress.getBytesSent());
    }
    String param = "side_effect.network_egress";
    ReceiptParts.object(part, "metadata", egress.getMetadata(), param + ".metadata");
    ReceiptParts.check(NETWORK_EGRESS, part, param);
    return part;
  }

  private static ObjectNode handoff(AgentHandoff handoff) {
    ObjectNode part =
        ReceiptParts.part()
            .put("target_agent", handoff.getTargetAgent())
            .put("task_id", handoff.getTaskId())
            .put("status", ReceiptParts.spell(handoff.getStatus(), "HANDOFF_STATUS_"));
    ReceiptParts.text(part, "receipt_id", handoff.getReceiptId());
    ReceiptParts.check(HANDOFF, part, "side_effect.handoff");
    return part;
  }

  private static ObjectNode toolCall(ToolCall call) {
    ObjectNode part =
        ReceiptParts.part()
            .put("tool", call.getTool())
            .put("call_id", call.getCallId())
            .put("status", ReceiptParts.spell(call.getStatus(), "CALL_STATUS_"));
    ReceiptParts.text(part, "input_hash", call.getInputHash());
    ReceiptParts.text(part, "output_hash", call.getOutputHash());
    String param = "side_effect.tool_call";
    ReceiptParts.object(part, "metadata", call.getMetadata(), param + ".metadata");
    ReceiptParts.check(TOOL_CALL, part, param);
    return part;
  }
}
