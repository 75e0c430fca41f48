package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** Shows what a worker has reported to have done, as tool calls that are over. */
final class SideEffects {
  private static final Set<String> KINDS =
      Set.of(
          "vendor.bridle.command_run",
          "vendor.bridle.file_written",
          "vendor.bridle.network_egress",
          "vendor.bridle.handed_off",
          "vendor.bridle.tool_called");

  private SideEffects() {}

  static boolean include(String kind) {
    return KINDS.contains(kind);
  }

  /** Returns the update for an event of one of the kinds. */
  static ObjectNode of(ToolCalls calls, String event, String kind, JsonNode payload) {
    String id = calls.id(event);
    String status = payload.path("status").asText("succeeded");
    String end = status.equals("succeeded") || status.equals("completed") ? "completed" : "failed";
    return switch (kind) {
      case "vendor.bridle.command_run" -> {
        ObjectNode update = calls.update(id, text(payload, "command"), "execute", end);
        if (payload.has("exit_code")) {
          update.set("content", Chunks.content("exit code " + payload.get("exit_code")));
        }
        yield update;
      }
      case "vendor.bridle.file_written" -> {
        String operation = text(payload, "operation");
        String path = text(payload, "path");
        ObjectNode update =
            calls.update(
                id,
                operation + " " + path,
                operation.equals("delete") ? "delete" : "edit",
                "completed");
        if (path.startsWith("/")) {
          update.putArray("locations").addObject().put("path", path);
        }
        yield update;
      }
      case "vendor.bridle.network_egress" ->
          calls.update(
              id,
              text(payload, "destination") + ": " + text(payload, "purpose"),
              "fetch",
              "completed");
      case "vendor.bridle.handed_off" ->
          calls.update(id, "handed to " + text(payload, "target_agent"), "other", end);
      default -> calls.update(id, text(payload, "tool"), "other", end);
    };
  }

  private static String text(JsonNode payload, String member) {
    return payload.path(member).asText("");
  }
}
