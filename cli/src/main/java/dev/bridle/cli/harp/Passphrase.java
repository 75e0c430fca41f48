package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.PrivateFile;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Asks for the passphrase of a key file at the terminal, or reads it from a file. */
final class Passphrase {
  private Passphrase() {}

  /** Returns the passphrase of a file that exists. */
  static char[] read(Optional<Path> file, Path keys) {
    if (file.isPresent()) {
      return ofFile(file.get());
    }
    return asked("Passphrase of " + keys + ": ");
  }

  /** Returns the passphrase of a new file, asked for twice. */
  static char[] choose(Optional<Path> file, Path keys) {
    if (file.isPresent()) {
      return ofFile(file.get());
    }
    char[] first = asked("New passphrase of " + keys + ": ");
    if (!Arrays.equals(first, asked("Again: "))) {
      throw new CommandFailed(ExitCodes.FAILED, "The two are different. Nothing was made.");
    }
    return first;
  }

  private static char[] ofFile(Path file) {
    try {
      return PrivateFile.read(file).toCharArray();
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The file " + file + " can't be read: " + e, e);
    }
  }

  /** From Java 22 on, there is a console without a terminal, too: it reads a line of the input. */
  @SuppressWarnings("SystemConsoleNull")
  private static char[] asked(String prompt) {
    Console console = System.console();
    char[] typed = console == null ? null : console.readPassword("%s", prompt);
    if (typed == null || typed.length == 0) {
      throw new CommandFailed(
          ExitCodes.USAGE, "No passphrase: type one at a terminal, or give --passphrase-file.");
    }
    return typed;
  }
}
