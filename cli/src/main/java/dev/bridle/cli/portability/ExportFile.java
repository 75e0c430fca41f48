package dev.bridle.cli.portability;

import dev.bridle.core.operations.portability.file.DamagedFileException;
import dev.bridle.core.operations.portability.file.FileCheck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads and verifies an export file. */
final class ExportFile {
  private static final int BUFFER_BYTES = 64 * 1024;

  private ExportFile() {}

  /**
   * Reads a whole file.
   *
   * @return a summary of its content
   * @throws DamagedFileException if a block is damaged; does not check for a missing end
   */
  static FileCheck read(Path file) throws IOException {
    FileCheck check = new FileCheck(block -> {});
    feed(file, check);
    return check;
  }

  /** Reads the complete blocks of a file that may be truncated. */
  static FileCheck readPart(Path file) throws IOException {
    FileCheck check = new FileCheck(block -> {});
    try {
      feed(file, check);
    } catch (DamagedFileException broken) {
      // An incomplete block from the interrupted export; it is fetched again.
      return check;
    }
    return check;
  }

  private static void feed(Path file, FileCheck check) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      int read = in.read(buffer);
      while (read >= 0) {
        check.take(buffer, 0, read);
        read = in.read(buffer);
      }
    }
  }
}
