package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tool calls of a task as an editor knows them: announced once, then updated. */
final class ToolCalls {
  private static final int MOST = 10_000;
  private static final int MAX_TITLE = 1000;
  private static final Set<String> KINDS =
      Set.of(
          "read",
          "edit",
          "delete",
          "move",
          "search",
          "execute",
          "think",
          "fetch",
          "switch_mode",
          "other");
  private static final Set<String> OPEN = Set.of("pending", "in_progress");
  private static final Set<String> STATUSES =
      Set.of("pending", "in_progress", "completed", "failed");

  private final String task;
  private final Map<String, Known> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > MOST;
        }
      };

  private final Set<String> asking = new HashSet<>();

  private record Known(String title, String status) {}

  ToolCalls(String task) {
    this.task = task;
  }

  /** Returns an id that no other task of the session uses, for one of the agent's. */
  String id(String agents) {
    return task + "/" + agents;
  }

  /** Returns the one tool call with that title that is not over, if there is just one. */
  Optional<String> open(String title) {
    List<String> found =
        known.entrySet().stream()
            .filter(call -> call.getValue().title().equals(title) && !title.isEmpty())
            .filter(call -> OPEN.contains(call.getValue().status()))
            .map(Map.Entry::getKey)
            .toList();
    return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
  }

  /** Returns an update: an announcement where the editor does not know the call yet. */
  ObjectNode update(String id, String title, String kind, String status) {
    Known before = known.get(id);
    ObjectNode update =
        JsonLines.object()
            .put("sessionUpdate", before == null ? "tool_call" : "tool_call_update")
            .put("toolCallId", id);
    String shown = title.isEmpty() ? "" : ShownText.line(Texts.cut(title, MAX_TITLE));
    if (!shown.isEmpty() || before == null) {
      update.put("title", shown.isEmpty() ? "Tool call" : shown);
    }
    if (KINDS.contains(kind)) {
      update.put("kind", kind);
    } else if (before == null) {
      update.put("kind", "other");
    }
    if (STATUSES.contains(status)) {
      update.put("status", status);
    }
    known.put(
        id,
        new Known(
            title.isEmpty() && before != null ? before.title() : title,
            STATUSES.contains(status) || before == null ? status : before.status()));
    return update;
  }

  /** While a question is shown in a tool call, what the agent says of that changes nothing. */
  void asking(String id, boolean asks) {
    if (asks) {
      asking.add(id);
    } else {
      asking.remove(id);
    }
  }

  /**
   * Returns the update for an event that reports a tool call, or what is new of it; empty while a
   * question is shown in it.
   */
  Optional<ObjectNode> reported(String event, JsonNode payload, String status) {
    String id = first(payload, "tool_call_id", "call_id", "id");
    if (asking.contains(id(id.isEmpty() ? event : id))) {
      return Optional.empty();
    }
    ObjectNode update =
        update(
            id(id.isEmpty() ? event : id),
            first(payload, "title", "tool_name", "name", "tool"),
            first(payload, "kind", "tool_name"),
            status.isEmpty() ? payload.path("status").asText("") : status);
    copy(payload, "input", update, "rawInput");
    if (payload.has("output")) {
      ReportedOutput.put(payload.get("output"), update);
    }
    copy(payload, "result", update, "rawOutput");
    return Optional.of(update);
  }

  private static void copy(JsonNode from, String name, ObjectNode to, String as) {
    if (from.has(name)) {
      to.set(as, from.get(name));
    }
  }

  private static String first(JsonNode payload, String... names) {
    for (String name : names) {
      String value = payload.path(name).asText("");
      if (!value.isEmpty()) {
        return value;
      }
    }
    return "";
  }
}
