package dev.bridle.cli.engine;

import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file in a data directory that records that its data is stored in a cluster.
 *
 * @param clusterFile the path of the cluster file at the last start
 * @param keyPrefix the prefix of the keys
 */
record EngineFile(String clusterFile, String keyPrefix) {
  private static final String FILE = "cluster.json";

  static Optional<EngineFile> read(Path dataDir) throws IOException {
    Path file = dataDir.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    return JsonLines.parse(Files.readString(file))
        .map(
            json ->
                new EngineFile(
                    json.path("cluster_file").asText(), json.path("key_prefix").asText()));
  }

  void write(Path dataDir) throws IOException {
    String line =
        JsonLines.object().put("cluster_file", clusterFile).put("key_prefix", keyPrefix).toString();
    PrivateFile.write(dataDir.resolve(FILE), line + "\n");
  }
}
