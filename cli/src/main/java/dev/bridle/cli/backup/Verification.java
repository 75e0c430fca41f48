package dev.bridle.cli.backup;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.storage.BackupFailedException;
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
      Folders.make(copy);
      try {
        try (BackupFolder backups = BackupFolder.existing(folder, copy)) {
          backups.restore(Optional.of(backup), copy);
        }
        EmbeddedStore.open(copy, EmbeddedOptions.DEFAULT).close();
      } finally {
        Folders.remove(copy);
      }
    } catch (IOException | BackupFailedException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The backup was made, but is not whole: " + e.getMessage(), e);
    }
  }
}
