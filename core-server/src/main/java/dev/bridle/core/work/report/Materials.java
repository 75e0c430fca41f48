package dev.bridle.core.work.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.worker.v1.DependencyKind;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.UsedSecret;

/**
 * Adds what a replay needs to the facts of a task's receipt: by commitment only, since values are
 * stored apart from receipts.
 */
public final class Materials {
  private static final String MODEL_ANSWER = "llm_provider_response";
  private static final String TOOL_ANSWER = "mcp_tool_return";
  private static final String HOST_FACT = "host_fact";

  private Materials() {}

  /** Adds a recorded dependency, whose event is the newest one of the change. */
  static void add(TaskChange change, String key, DependencyReport report, ByteString commitment) {
    ObjectNode part = ReceiptParts.part().put("kind", kind(key, report.getKind())).put("id", key);
    ObjectNode metadata =
        part.putObject("metadata")
            .put("commitment", Commitment.spell(commitment))
            .put("sequence", change.record().getNextSequence() - 1)
            .put("size", report.getValue().size());
    ReceiptParts.text(metadata, "input_hash", report.getInputHash());
    add(change, part);
  }

  /** Adds the use of a secret, whose event is the newest one of the change. */
  public static void add(TaskChange change, String key, UsedSecret used, ByteString commitment) {
    ObjectNode part = ReceiptParts.part().put("kind", HOST_FACT).put("id", key);
    part.putObject("metadata")
        .put("commitment", Commitment.spell(commitment))
        .put("sequence", change.record().getNextSequence() - 1)
        .put("version", used.getVersion());
    add(change, part);
  }

  private static void add(TaskChange change, ObjectNode part) {
    change
        .facts()
        .add(TaskFactKind.TASK_FACT_KIND_MATERIAL, ReceiptParts.canonical(part), ByteString.EMPTY);
  }

  /** Returns a material's kind: the stated one, or else the one that the key's prefix says. */
  private static String kind(String key, DependencyKind stated) {
    return switch (stated) {
      case DEPENDENCY_KIND_LLM -> MODEL_ANSWER;
      case DEPENDENCY_KIND_MCP -> TOOL_ANSWER;
      case DEPENDENCY_KIND_UNSPECIFIED ->
          key.startsWith("llm:") ? MODEL_ANSWER : key.startsWith("mcp:") ? TOOL_ANSWER : HOST_FACT;
      default -> HOST_FACT;
    };
  }
}
