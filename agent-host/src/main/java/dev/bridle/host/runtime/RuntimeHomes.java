package dev.bridle.host.runtime;

import dev.bridle.host.preset.AgentPreset;
import dev.bridle.host.preset.AgentStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Prepares the start of a runtime: a home of its own, which lasts, and its variables. */
public final class RuntimeHomes {
  /** Folders of a person, which are not the runtime's. */
  private static final Set<String> OF_PERSON =
      Set.of(
          "HOME",
          "XDG_CONFIG_HOME",
          "XDG_DATA_HOME",
          "XDG_STATE_HOME",
          "XDG_CACHE_HOME",
          "XDG_RUNTIME_DIR");

  private RuntimeHomes() {}

  /**
   * Returns what a runtime is started with, by the preset of its program where there is one.
   *
   * @param homes a folder for the homes of runtimes
   * @param environment the variables of this process, of which it gets what its settings name
   * @throws IllegalArgumentException if its command has an argument, or it has a mode, that stops
   *     the agent from asking
   * @throws IOException if its home can't be made
   */
  public static AgentStart start(
      Path homes, Map<String, String> environment, RuntimeSettings runtime) throws IOException {
    RuntimeSettings.Launch launch = runtime.launch();
    Path home = folder(homes.resolve(runtime.name()));
    Map<String, String> whole = new HashMap<>(environment);
    whole.keySet().removeAll(OF_PERSON);
    whole.putAll(launch.environment());
    whole.putIfAbsent("HOME", home.toString());
    Set<String> named = new HashSet<>(launch.passed());
    named.addAll(launch.environment().keySet());
    List<String> command = launch.command();
    Optional<AgentPreset> preset = launch.known();
    preset.ifPresent(known -> known.checkChosen(launch.chosen()));
    AgentStart start =
        preset.isPresent()
            ? AgentStart.of(preset.get(), command, whole, named, home.resolve(".bridle"))
            : AgentStart.unknown(command, whole, named);
    return launch.mustAsk() ? start.havingToAsk() : start;
  }

  /** Makes a folder that is its owner's alone. */
  static Path folder(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      Files.createDirectories(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    return path.toRealPath();
  }
}
