package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.task.v1.Task;
import java.time.Instant;
import java.util.List;

/**
 * The receipt of a task of which nothing that was reported fits: it proves that the task ended,
 * when and how, and says so of everything else. It can't fail.
 */
final class MinimalReceipt {
  private static final List<String> UNKNOWN =
      List.of(
          "/approvals",
          "/trust",
          "/autonomy_budget",
          "/replay_input",
          "/model_route",
          "/cost",
          "/side_effects",
          "/final_artifacts",
          "/lifecycle/failure");
  private static final String NOT_REPORTED = "not reported";

  private MinimalReceipt() {}

  static ObjectNode of(String tenant, TaskRecordOrBuilder record) {
    Task task = record.getTask();
    ObjectNode receipt = JsonNodeFactory.instance.objectNode();
    receipt.putObject("subject").put("object", "task").put("id", task.getId());
    receipt
        .putObject("identifiers")
        .put("tenant_id", tenant)
        .put("workspace_ref", task.getWorkspaceId())
        .put("session_id", task.getSessionId())
        .put("task_id", task.getId());
    Timestamp end = task.hasCanceledAt() ? task.getCanceledAt() : task.getCompletedAt();
    receipt
        .putObject("lifecycle")
        .put("created_at", time(task.getCreatedAt()))
        .put("started_at", time(task.hasStartedAt() ? task.getStartedAt() : end))
        .put("completed_at", time(end))
        .put("final_state", TaskReceipt.finalState(task.getStatus()))
        .putNull("failure");
    receipt.putArray("approvals");
    receipt
        .putObject("trust")
        .put("start_tier", "act_with_approval")
        .put("end_tier", "act_with_approval");
    receipt.putObject("autonomy_budget").putObject("consumed");
    ObjectNode replay = receipt.putObject("replay_input").put("determinism", "unavailable");
    replay.putArray("materials");
    replay.put("unavailable_reason", NOT_REPORTED);
    ObjectNode route = receipt.putObject("model_route");
    route.putObject("chosen_model").put("provider", "unknown").put("model", "unknown");
    route.putArray("alternatives_considered");
    route.put("route_policy_reason", NOT_REPORTED);
    ObjectNode cost = receipt.putObject("cost").put("currency", "XXX").put("total", 0);
    cost.putArray("provider_breakdown");
    ObjectNode effects = receipt.putObject("side_effects");
    List.of("fs_writes", "network_egress", "tool_calls", "a2a_handoffs").forEach(effects::putArray);
    receipt.putArray("final_artifacts");
    ObjectNode metadata = receipt.putObject("metadata").put("bridle.minimal", true);
    if (record.hasImported()) {
      metadata.set(TaskReceipt.IMPORTED, TaskReceipt.imported(record.getImported()));
    }
    UNKNOWN.forEach(metadata.putArray("bridle.not_reported")::add);
    return receipt;
  }

  private static String time(Timestamp at) {
    return Instant.ofEpochMilli(Timestamps.toMillis(at)).toString();
  }
}
