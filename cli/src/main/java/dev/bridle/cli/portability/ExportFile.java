package dev.bridle.cli.portability;

import dev.bridle.core.operations.portability.file.DamagedFileException;
import dev.bridle.core.operations.portability.file.FileCheck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads an export file from its first byte to its last, and checks it. */
final class ExportFile {
  private static final int BUFFER_BYTES = 64 * 1024;

  private ExportFile() {}

  /**
   * Reads a whole file.
   *
   * @return what it holds
   * @throws DamagedFileException where a block is damaged; the end is not looked at
   */
  static FileCheck read(Path file) throws IOException {
    FileCheck check = new FileCheck(block -> {});
    feed(file, check);
    return check;
  }

  /** Reads what is whole of a file that may end anywhere. */
  static FileCheck readPart(Path file) throws IOException {
    FileCheck check = new FileCheck(block -> {});
    try {
      feed(file, check);
    } catch (DamagedFileException broken) {
      // What was being written when the export broke off; it is fetched again.
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
