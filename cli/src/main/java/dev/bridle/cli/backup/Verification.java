package dev.bridle.cli.backup;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.StoreTrouble;
import dev.bridle.storage.embedded.BackupFolder;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Verifies a backup: restores it to a temporary folder, opens it, and removes the copy. */
final class Verification {
  private Verification() {}

  static void of(Path folder, int backup) {
    Path copy = folder.resolveSibling(folder.getFileName() + ".verifying");
    try {
      var unused = StoreTrouble.inOneLine(copy, () -> restore(folder, backup, copy));
    } catch (CommandFailed e) {
      throw new CommandFailed(
          e.exitCode(),
          "The backup was created, but its verification failed: " + e.getMessage(),
          e);
    }
  }

  private static boolean restore(Path folder, int backup, Path copy) throws IOException {
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
