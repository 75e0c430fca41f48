package dev.bridle.cli.console;

import java.util.Optional;

/** The version of this build, read without loading picocli. */
public final class BuildVersion {
  private BuildVersion() {}

  /** Returns the version, such as `0.1.0`, or `development` if it does not run from a jar. */
  public static String current() {
    return Optional.ofNullable(BuildVersion.class.getPackage().getImplementationVersion())
        .orElse("development");
  }

  /**
   * Returns the line that `bridle version` prints. Uses {@code String.join}, which starts faster
   * than {@code +}.
   */
  public static String line() {
    return String.join(
        " ", "bridle", current(), "on Java", Integer.toString(Runtime.version().feature()));
  }
}
