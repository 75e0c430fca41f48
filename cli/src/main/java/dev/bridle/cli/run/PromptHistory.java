package dev.bridle.cli.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.jline.reader.impl.history.DefaultHistory;

/** The prompts that were typed in a folder before, in a file that its owner alone reads. */
final class PromptHistory extends DefaultHistory {
  /** How many lines the file keeps; a fourth more is kept until they are cut. */
  static final int KEPT = 800;

  /** What is longer is not kept, in characters. */
  static final int LONGEST = 10_000;

  /** Escapes take at most twice as much. */
  private static final long LARGEST_FILE = 4L * LONGEST * KEPT;

  /**
   * Returns the file with the history of a folder; one that can't be read begins anew.
   *
   * @param data the data directory
   * @param name the name of the folder
   */
  static Path file(Path data, String name) throws IOException {
    Path directory =
        Files.createDirectories(
            data.resolve("prompts"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path file = directory.resolve(name);
    if (Files.exists(file) && !isReadable(file)) {
      Files.delete(file);
    }
    return file;
  }

  private static boolean isReadable(Path file) throws IOException {
    if (Files.size(file) > LARGEST_FILE) {
      return false;
    }
    try (var lines = Files.lines(file)) {
      return lines.allMatch(line -> line.matches("\\d{1,15}:.*"));
    } catch (UncheckedIOException e) {
      return false; // It is not UTF-8.
    }
  }

  @Override
  public void add(Instant time, String line) {
    if (line.length() <= LONGEST) {
      super.add(time, line);
    }
  }
}
