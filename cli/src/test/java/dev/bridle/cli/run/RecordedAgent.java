package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that starts an agent under the agent's own name, and records what is said between it
 * and its client.
 *
 * @param program the program
 * @param log what was said, a line each
 */
record RecordedAgent(Path program, Path log) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * What one side said.
   *
   * @param byAgent whether the agent said it
   */
  record Frame(boolean byAgent, JsonNode message) {}

  /** Makes the program in a folder. */
  static RecordedAgent make(LedAgent agent, Path folder) throws IOException {
    Path log = folder.resolve("frames.log");
    Path program = folder.resolve(agent.program());
    Path recorder = Path.of("..", "fixtures", "agents", "record.mjs").toRealPath();
    Files.createDirectories(folder);
    Files.writeString(
        program,
        "#!/bin/sh\nexec node '" + recorder + "' '" + log + "' '" + agent.path() + "' \"$@\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new RecordedAgent(program, log);
  }

  /** Returns what was said, in its order. */
  List<Frame> frames() throws IOException {
    List<Frame> frames = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      if (line.length() > 1) {
        frames.add(new Frame(line.startsWith("<"), MAPPER.readTree(line.substring(1))));
      }
    }
    return frames;
  }
}
