package dev.bridle.cli.backup;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Creates and removes folders of this process. */
final class Folders {
  private Folders() {}

  /** Creates a folder that must not exist. */
  static void make(Path folder) throws IOException {
    if (Files.exists(folder)) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          folder + " already exists, perhaps from an interrupted command. Remove it first.");
    }
    Files.createDirectories(folder);
  }

  /** Removes a folder with its content. */
  static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
