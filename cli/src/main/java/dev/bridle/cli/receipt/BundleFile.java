package dev.bridle.cli.receipt;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes what a server exports as lines to a file. */
final class BundleFile {
  private BundleFile() {}

  /** The file is there only once it is whole. */
  static void write(RestClient client, String path, Path file) {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(part))) {
        client.lines(path, line -> out.print(line + '\n'));
        if (out.checkError()) {
          throw new CommandFailed(ExitCodes.FAILED, part + " can't be written.");
        }
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, file + " can't be written: " + e);
    }
  }
}
