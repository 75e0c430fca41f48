package dev.bridle.cli.phone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where phones reach HARP of the user's own server, kept in its data directory, since {@code bridle
 * run} starts that server by itself.
 *
 * @param options the values by the names of options of {@code bridle up}
 */
public record PhoneReach(Map<String, String> options) {
  static final String HOST = "--harp-host";
  static final String PUBLIC_URL = "--harp-public-url";
  static final String CERTIFICATE = "--harp-tls-cert";
  static final String KEY = "--harp-tls-key";

  private static final String FILE = "phone.json";
  private static final List<String> NAMES = List.of(HOST, PUBLIC_URL, CERTIFICATE, KEY);

  /** Copies the options. */
  public PhoneReach {
    options = Map.copyOf(options);
  }

  /** Reads what is kept in a data directory; nothing is set where nothing is kept. */
  public static PhoneReach read(Path data) throws IOException {
    Path file = data.resolve(FILE);
    if (!Files.exists(file)) {
      return new PhoneReach(Map.of());
    }
    Optional<JsonNode> kept = JsonLines.parse(Files.readString(file));
    if (kept.filter(JsonNode::isObject).isEmpty()) {
      throw new CommandFailed(
          ExitCodes.FAILED, file + " is damaged: run 'bridle phone setup' again.");
    }
    Map<String, String> options = new LinkedHashMap<>();
    NAMES.forEach(
        name -> {
          String value = kept.get().path(name.substring(2)).asText("");
          if (!value.isEmpty()) {
            options.put(name, value);
          }
        });
    return new PhoneReach(options);
  }

  void write(Path data) throws IOException {
    ObjectNode kept = JsonLines.object();
    NAMES.stream()
        .filter(options::containsKey)
        .forEach(name -> kept.put(name.substring(2), options.get(name)));
    Path file = data.resolve(FILE);
    Files.deleteIfExists(file);
    PrivateFile.write(file, (kept + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the arguments of {@code bridle up}. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    NAMES.stream()
        .filter(options::containsKey)
        .forEach(name -> arguments.addAll(List.of(name, options.get(name))));
    return arguments;
  }
}
