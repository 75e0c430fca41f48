package dev.bridle.cli.admin;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says which data directory an operator's command works on. */
public final class DataDirectory {

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where the data lies (default: ${DEFAULT-VALUE}; or BRIDLE_DATA_DIR).",
      defaultValue = "${env:BRIDLE_DATA_DIR:-data}")
  private Path path = Path.of("data");

  /** Made by picocli. */
  public DataDirectory() {}

  /** Returns the directory. */
  public Path path() {
    return path;
  }

  /** Returns access to it, through its server if one runs. */
  public AdminAccess access() {
    return new AdminAccess(path);
  }
}
