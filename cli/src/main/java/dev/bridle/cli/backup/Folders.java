package dev.bridle.cli.backup;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders that this process made itself, and may remove. */
final class Folders {
  private Folders() {}

  /** Makes a folder that must not be there. */
  static void make(Path folder) throws IOException {
    if (Files.exists(folder)) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          folder + " is there, perhaps from a command that was interrupted; remove it first.");
    }
    Files.createDirectories(folder);
  }

  /** Removes a folder with all that is in it. */
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
