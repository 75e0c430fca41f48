package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.verify.OneLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A file with what replaces recorded values: the request of a replay, or its member {@code
 * override} alone. Overrides without a {@code kind} get the one that the prefix of their key says.
 */
final class OverrideFile {
  private static final String OVERRIDE = "override";
  private static final String KIND = "kind";
  private static final String MODE = "mode";
  private static final String STDIN = "-";

  private static final Map<String, String> KINDS =
      Map.of(
          "llm",
          "llm_provider_response",
          "mcp",
          "mcp_tool_return",
          "secret",
          "secret_value",
          "time",
          "time");

  private OverrideFile() {}

  /** Reads a file, and returns the request that it makes. */
  static ObjectNode read(Path file) {
    JsonNode given = parse(file);
    ObjectNode request = JsonLines.object();
    if (isRequest(given.path(OVERRIDE))) {
      request.setAll((ObjectNode) given);
    } else {
      request.set(OVERRIDE, given);
    }
    for (Map.Entry<String, JsonNode> each : request.get(OVERRIDE).properties()) {
      if (each.getValue() instanceof ObjectNode override && !override.has(KIND)) {
        int colon = each.getKey().indexOf(':');
        String prefix = each.getKey().substring(0, Math.max(0, colon));
        override.put(KIND, KINDS.getOrDefault(prefix, "host_fact"));
      }
    }
    return request.has(MODE) ? request : request.put(MODE, "with_overrides");
  }

  /** A recorded step may have this key, too; then the member has a value. */
  private static boolean isRequest(JsonNode overrides) {
    return overrides.isObject() && !overrides.has("value") && !overrides.has("artifact_id");
  }

  private static JsonNode parse(Path file) {
    try {
      boolean isStdin = file.toString().equals(STDIN);
      JsonNode given =
          StrictJson.parse(isStdin ? System.in.readAllBytes() : Files.readAllBytes(file));
      if (given.isObject() && !given.isEmpty()) {
        return given;
      }
    } catch (IOException | InvalidJsonException e) {
      throw new CommandFailed(ExitCodes.USAGE, OneLine.of(file + " can't be read: " + e), e);
    }
    throw new CommandFailed(
        ExitCodes.USAGE,
        OneLine.of(
            file
                + " has no overrides: it must be a JSON object with a member for each, such as"
                + " {\"llm:main:1\": {\"value\": …}}"));
  }
}
