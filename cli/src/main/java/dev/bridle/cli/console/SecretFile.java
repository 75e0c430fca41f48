package dev.bridle.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Writes a secret to a file instead of printing it. */
public final class SecretFile {
  private SecretFile() {}

  /** Fails if the file already exists. Call before the secret is created. */
  public static void requireAbsent(Optional<Path> file) {
    if (file.isPresent() && Files.exists(file.get())) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The file " + file.get() + " already exists. Choose another.");
    }
  }

  /**
   * Writes a new secret to a file that is readable by its owner only.
   *
   * @param made what was created, as the subject of the error message
   * @param list the command that shows what to revoke if writing fails
   */
  public static void write(Path file, String secret, String made, String list) {
    try {
      PrivateFile.write(file.toAbsolutePath(), secret + "\n");
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          made
              + " was created, but "
              + file
              + " can't be written: "
              + e
              + ". Revoke it ('"
              + list
              + "' shows it) and try again.",
          e);
    }
  }
}
