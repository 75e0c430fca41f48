package dev.bridle.cli.backup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file in a backup folder that records the eras of its restores: restoring the same backup twice
 * must not start the same era twice.
 */
final class EraNotes {
  private static final String FILE = "eras.json";

  private final Path file;

  EraNotes(Path folder) {
    this.file = folder.resolve(FILE);
  }

  Map<String, Integer> read() throws IOException {
    Map<String, Integer> eras = new TreeMap<>();
    if (Files.exists(file)) {
      JsonLines.parse(Files.readString(file))
          .ifPresent(
              json ->
                  json.properties()
                      .forEach(entry -> eras.put(entry.getKey(), entry.getValue().asInt())));
    }
    return eras;
  }

  void write(Map<String, Integer> eras) throws IOException {
    Map<String, Integer> all = new TreeMap<>(read());
    eras.forEach((tenant, era) -> all.merge(tenant, era, Math::max));
    ObjectNode json = JsonLines.object();
    all.forEach(json::put);
    Path aside = file.resolveSibling(FILE + ".new");
    Files.writeString(aside, json + "\n");
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
