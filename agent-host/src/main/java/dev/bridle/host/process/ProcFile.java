package dev.bridle.host.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What the kernel tells of a process, where {@code /proc} is. */
final class ProcFile {
  private ProcFile() {}

  /** The lines of a small file, none if the process is gone or there is no such file. */
  static Stream<String> of(ProcessHandle process, String name) {
    Path file = Path.of("/proc", Long.toString(process.pid()), name);
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).lines();
    } catch (IOException e) {
      return Stream.empty();
    }
  }
}
