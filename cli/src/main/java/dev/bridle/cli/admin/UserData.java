package dev.bridle.cli.admin;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The data directory of a user's own server, which {@code bridle run} starts. */
public final class UserData {
  private UserData() {}

  /** Returns the data directory: the named one, or that of the environment; makes none. */
  public static Path directory(Optional<Path> named, Map<String, String> environment) {
    return named.orElseGet(() -> base(environment));
  }

  private static Path base(Map<String, String> environment) {
    if (environment.containsKey("BRIDLE_DATA_DIR")) {
      return Path.of(environment.get("BRIDLE_DATA_DIR"));
    }
    String shared = environment.getOrDefault("XDG_DATA_HOME", "");
    Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
    return (shared.startsWith("/") ? Path.of(shared) : home.resolve(".local").resolve("share"))
        .resolve("bridle");
  }
}
