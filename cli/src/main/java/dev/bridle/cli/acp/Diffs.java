package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.util.List;
import java.util.Optional;

/** Finds the difference in an action's content where both texts are in it, as agents spell them. */
final class Diffs {
  private static final List<String> PATHS = List.of("path", "file_path", "filePath", "filepath");
  private static final List<List<String>> TEXTS =
      List.of(
          List.of("old_string", "new_string"),
          List.of("oldString", "newString"),
          List.of("old_text", "new_text"),
          List.of("oldText", "newText"));

  private Diffs() {}

  /** Returns the difference as a tool call's content. */
  static Optional<ObjectNode> of(JsonNode content) {
    Optional<String> path =
        PATHS.stream()
            .map(name -> content.path(name).asText(""))
            .filter(value -> value.startsWith("/"))
            .findFirst();
    return path.flatMap(
        file ->
            TEXTS.stream()
                .filter(
                    names ->
                        content.path(names.get(0)).isTextual()
                            && content.path(names.get(1)).isTextual())
                .findFirst()
                .map(
                    names ->
                        JsonLines.object()
                            .put("type", "diff")
                            .put("path", file)
                            .put("oldText", content.path(names.get(0)).asText())
                            .put("newText", content.path(names.get(1)).asText())));
  }
}
