package dev.bridle.cli.run;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What agents ask, as it was recorded: a file for each agent in {@code fixtures/agents/requests}.
 */
final class RecordedRequests {
  /** The system property with which the files are written anew. */
  static final String RECORD = "bridle.agents.record";

  private static final Path FOLDER = Path.of("..", "fixtures", "agents", "requests");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private RecordedRequests() {}

  private static Path file(LedAgent agent) {
    return FOLDER.resolve(agent.id() + ".json");
  }

  /** Returns what was recorded of an agent; empty if nothing was. */
  static Optional<JsonNode> read(LedAgent agent) throws IOException {
    return Files.exists(file(agent))
        ? Optional.of(MAPPER.readTree(Files.readString(file(agent))))
        : Optional.empty();
  }

  /** Returns what was recorded of all agents. */
  static List<JsonNode> readAll() throws IOException {
    List<JsonNode> all = new ArrayList<>();
    for (LedAgent agent : LedAgent.values()) {
      read(agent).ifPresent(all::add);
    }
    return all;
  }

  /** Writes what an agent asks about one kind of action, beside what is recorded of others. */
  static void write(LedAgent agent, String action, ObjectNode recorded) throws IOException {
    Files.createDirectories(FOLDER);
    ObjectNode whole =
        MAPPER.createObjectNode().put("agent", agent.id()).put("version", agent.version());
    Optional<JsonNode> before = read(agent);
    for (String known : List.of("command", "edit")) {
      Optional<JsonNode> value =
          known.equals(action) ? Optional.of(recorded) : before.map(file -> file.get(known));
      value.ifPresent(shape -> whole.set(known, shape));
    }
    Files.writeString(file(agent), MAPPER.writer(printer()).writeValueAsString(whole) + "\n");
  }

  private static DefaultPrettyPrinter printer() {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    return new DefaultPrettyPrinter().withObjectIndenter(lines);
  }
}
