package dev.bridle.cli.apikey;

import dev.bridle.cli.admin.AdminAccess;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Says which data directory a command works on, and how it prints. */
final class DirectoryChoice {

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where the data lies (default: ${DEFAULT-VALUE}; or BRIDLE_DATA_DIR).",
      defaultValue = "${env:BRIDLE_DATA_DIR:-data}")
  private Path dataDir = Path.of("data");

  @Option(names = "--json", description = "Print each key as a line of JSON.")
  private boolean json;

  AdminAccess access() {
    return new AdminAccess(dataDir);
  }

  boolean json() {
    return json;
  }
}
