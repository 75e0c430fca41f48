package dev.bridle.cli.admin;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that selects the data directory of an admin command. */
public final class DataDirectory {

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "The data directory (default: ${DEFAULT-VALUE}; or BRIDLE_DATA_DIR).",
      defaultValue = "${env:BRIDLE_DATA_DIR:-data}")
  private Path path = Path.of("data");

  /** Creates the command; called by picocli. */
  public DataDirectory() {}

  /** Returns the directory. */
  public Path path() {
    return path;
  }

  /** Returns access to the directory, through its server if one runs. */
  public AdminAccess access() {
    return new AdminAccess(path);
  }
}
