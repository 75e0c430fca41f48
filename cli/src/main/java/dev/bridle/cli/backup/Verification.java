package dev.bridle.cli.backup;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.StoreTrouble;
import dev.bridle.storage.embedded.BackupFolder;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Puts a backup back beside itself, opens it, and removes the copy. */
final class Verification {
  private Verification() {}

  static void of(Path folder, int backup) {
    Path copy = folder.resolveSibling(folder.getFileName() + ".verifying");
    try {
      var unused = StoreTrouble.inOneLine(copy, () -> putBack(folder, backup, copy));
    } catch (CommandFailed e) {
      throw new CommandFailed(
          e.exitCode(),
          "The backup was made, but could not be put back to verify it: " + e.getMessage(),
          e);
    }
  }

  private static boolean putBack(Path folder, int backup, Path copy) throws IOException {
    Folders.make(copy);
    try {
      try (BackupFolder backups = BackupFolder.existing(folder, copy)) {
        backups.restore(Optional.of(backup), copy);
      }
      EmbeddedStore.open(copy, EmbeddedOptions.DEFAULT).close();
      return true;
    } finally {
      Folders.remove(copy);
    }
  }
}
