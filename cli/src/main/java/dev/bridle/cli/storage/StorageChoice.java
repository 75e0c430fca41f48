package dev.bridle.cli.storage;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Says which data directory a command looks at, and how it prints. */
final class StorageChoice {

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where the data lies (default: ${DEFAULT-VALUE}; or BRIDLE_DATA_DIR).",
      defaultValue = "${env:BRIDLE_DATA_DIR:-data}")
  private Path dataDir = Path.of("data");

  @Option(names = "--json", description = "Print each line as JSON.")
  private boolean json;

  StorageAccess access() {
    return new StorageAccess(dataDir);
  }

  Path dataDir() {
    return dataDir;
  }

  boolean json() {
    return json;
  }
}
