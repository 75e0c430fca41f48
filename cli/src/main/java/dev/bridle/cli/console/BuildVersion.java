package dev.bridle.cli.console;

import java.util.Optional;

/** The version of this build, read without the parser of commands. */
public final class BuildVersion {
  private BuildVersion() {}

  /** Returns the version, such as `0.1.0`; `development` where it runs from classes. */
  public static String current() {
    return Optional.ofNullable(BuildVersion.class.getPackage().getImplementationVersion())
        .orElse("development");
  }

  /** Returns what `bridle version` prints. Joined, since {@code +} would set up method handles. */
  public static String line() {
    return String.join(
        " ", "bridle", current(), "on Java", Integer.toString(Runtime.version().feature()));
  }
}
