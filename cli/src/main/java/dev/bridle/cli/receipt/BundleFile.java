package dev.bridle.cli.receipt;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Consumer;

/** Writes files of lines that are there only once they are whole. */
public final class BundleFile {
  private BundleFile() {}

  /** Writes what a server exports as lines to a file. */
  static void write(RestClient client, String path, Path file) {
    write(file, out -> client.lines(path, line -> out.print(line + '\n')));
  }

  /**
   * Writes a file. Whatever the content throws leaves an earlier file unchanged.
   *
   * @param content writes the content
   */
  public static void write(Path file, Consumer<PrintWriter> content) {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(part))) {
        content.accept(out);
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
