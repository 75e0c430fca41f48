package dev.bridle.proof.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.replay.EntryList.Derivation;
import dev.bridle.proof.replay.EntryList.Derived;
import java.util.Optional;

/**
 * Derives calls of tools: those that an agent reports, its commands, and the calls that clients run
 * for it, of which a task has one at a time.
 */
final class ToolCallDerivation implements Derivation {
  private static final String INPUT = "input_hash";
  private static final String OUTPUT = "output_hash";
  private static final String STATUS = "status";

  private Optional<Asked> asked = Optional.empty();

  /** A call that clients were asked to run. */
  private record Asked(String id, String commitment) {}

  @Override
  public Derived derive(LogLine line, Optional<JsonNode> listed) {
    return switch (line.event()) {
      case "vendor.bridle.tool_called" -> EventEntries.entryOf(line.json());
      case "vendor.bridle.command_run" -> command(line, listed);
      case "tool.requested" -> {
        asked =
            line.json()
                .filter(ToolCallDerivation::isOfHost)
                .map(said -> new Asked(id(said), line.commitment().toString()))
                .or(() -> asked);
        yield new Derived.None();
      }
      case "tool.completed", "tool.failed" -> hostCall(line, listed);
      default -> new Derived.None();
    };
  }

  /** The step's key is in the receipt alone, and the command's text in the event alone. */
  private static Derived command(LogLine line, Optional<JsonNode> listed) {
    Optional<JsonNode> said = line.json();
    if (said.isEmpty() || !(listed.orElse(null) instanceof ObjectNode entry)) {
      return new Derived.Hidden();
    }
    return new Derived.Entry(
        entry
            .deepCopy()
            .put("tool", "command")
            .put(STATUS, said.get().path(STATUS).asText())
            .put(INPUT, line.commitment().toString()));
  }

  private Derived hostCall(LogLine line, Optional<JsonNode> listed) {
    Optional<JsonNode> payload = line.json();
    if (payload.isEmpty()) {
      String output = listed.map(entry -> entry.path(OUTPUT).asText()).orElse("");
      return output.equals(line.commitment().toString())
          ? new Derived.Hidden()
          : new Derived.Unknown();
    }
    JsonNode said = payload.get();
    if (!isOfHost(said)) {
      return new Derived.None();
    }
    boolean reportsInput = listed.isEmpty() || listed.get().has(INPUT);
    Optional<String> input =
        asked
            .filter(call -> call.id().equals(id(said)))
            .map(Asked::commitment)
            .filter(commitment -> reportsInput);
    if (listed.isPresent() && reportsInput && input.isEmpty()) {
      return new Derived.Hidden();
    }
    ObjectNode part =
        JsonNodeFactory.instance
            .objectNode()
            .put("tool", said.path("name").asText())
            .put("call_id", id(said))
            .put(STATUS, status(line, said))
            .put(OUTPUT, line.commitment().toString());
    input.ifPresent(commitment -> part.put(INPUT, commitment));
    return new Derived.Entry(part);
  }

  private static String status(LogLine line, JsonNode said) {
    if (line.event().equals("tool.completed")) {
      return "succeeded";
    }
    return said.path("reason").asText().equals("task_ended") ? "canceled" : "failed";
  }

  private static String id(JsonNode said) {
    return said.path("tool_call_id").asText();
  }

  /** Only the server sets the member. */
  private static boolean isOfHost(JsonNode said) {
    return said.path("mediated_by").asText().equals("host");
  }
}
