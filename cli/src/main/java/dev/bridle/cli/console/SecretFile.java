package dev.bridle.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where a secret that is shown only once is written instead, if anywhere. */
public final class SecretFile {
  private SecretFile() {}

  /** Fails where a file is there already, before the secret is made. */
  public static void needAbsent(Optional<Path> file) {
    if (file.isPresent() && Files.exists(file.get())) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The file " + file.get() + " is there already; name another.");
    }
  }

  /**
   * Writes a secret that has been made, readable by the file's owner only.
   *
   * @param made what was made, as the subject of a sentence
   * @param list the command that shows what is to be revoked where this fails
   */
  public static void write(Path file, String secret, String made, String list) {
    try {
      PrivateFile.write(file.toAbsolutePath(), secret + "\n");
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          made
              + " was made, but "
              + file
              + " can't be written: "
              + e
              + "; revoke it ('"
              + list
              + "' shows it) and try again.",
          e);
    }
  }
}
