package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.acp.ToolCall;
import java.util.Set;

/** The parts of a tool call of which this version does not know what they say. */
final class UnreadParts {
  private static final Set<String> READ = Set.of("content", "terminal");

  private UnreadParts() {}

  /** Returns them as they were said. */
  static ArrayNode of(ToolCall call) {
    ArrayNode unread = JsonNodeFactory.instance.arrayNode();
    collect(call.content(), unread, false);
    collect(call.locations(), unread, true);
    return unread;
  }

  private static void collect(JsonNode list, ArrayNode unread, boolean areLocations) {
    if (list.isMissingNode() || list.isNull()) {
      return;
    }
    if (!list.isArray()) {
      unread.add(list);
      return;
    }
    for (JsonNode part : list) {
      if (!(areLocations ? part.path("path").isTextual() : isRead(part))) {
        unread.add(part);
      }
    }
  }

  private static boolean isRead(JsonNode part) {
    JsonNode before = part.path("oldText");
    return FileChange.isChange(part)
        ? part.path("path").isTextual()
            && part.path("newText").isTextual()
            && (before.isTextual() || before.isNull() || before.isMissingNode())
        : READ.contains(part.path("type").asText());
  }
}
