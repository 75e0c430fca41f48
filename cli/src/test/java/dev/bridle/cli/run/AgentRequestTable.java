package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The documentation's table of what the questions of agents show, made of what was recorded. */
final class AgentRequestTable {
  private static final Map<String, String> OPTIONS =
      Map.of("allow_once", "once", "allow_always", "always", "reject_once", "no");

  private AgentRequestTable() {}

  /** Returns the lines. */
  static List<String> of(List<JsonNode> agents) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "| agent | a question about | shows | is exact | options |",
                "|---|---|---|---|---|"));
    for (JsonNode agent : agents) {
      String name = agent.path("agent").asText() + " " + agent.path("version").asText();
      for (String action : List.of("command", "edit")) {
        lines.add(row(name, action, agent.path(action)));
      }
    }
    return lines;
  }

  private static String row(String name, String action, JsonNode recorded) {
    JsonNode question = recorded.path("question");
    JsonNode options =
        StreamSupport.stream(recorded.path("frames").spliterator(), false)
            .map(frame -> frame.path("options"))
            .filter(JsonNode::isArray)
            .findFirst()
            .orElseThrow();
    return "| "
        + String.join(
            " | ",
            name,
            action,
            texts(question.path("shows")).stream().collect(Collectors.joining("`, `", "`", "`")),
            question.path("exact").asBoolean() ? "yes" : "no",
            texts(options).stream()
                .map(kind -> OPTIONS.getOrDefault(kind, kind))
                .collect(Collectors.joining(", ")))
        + " |";
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
