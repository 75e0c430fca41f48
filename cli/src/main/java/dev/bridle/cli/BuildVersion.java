package dev.bridle.cli;

import java.util.Optional;

/** The version of this build, read without the parser of commands. */
final class BuildVersion {
  private BuildVersion() {}

  /** Returns the version, such as `0.1.0`; `development` where it runs from classes. */
  static String current() {
    return Optional.ofNullable(BuildVersion.class.getPackage().getImplementationVersion())
        .orElse("development");
  }

  /** Returns what `bridle version` prints. Joined, since {@code +} would set up method handles. */
  static String line() {
    return String.join(
        " ", "bridle", current(), "on Java", Integer.toString(Runtime.version().feature()));
  }
}
