package dev.bridle.host.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds processes of this user by the marker in their environment, where {@code /proc} is. */
final class MarkedProcesses {
  private static final Path PROC = Path.of("/proc");
  private static final int MOST_BYTES = 1 << 20;

  private MarkedProcesses() {}

  /**
   * Returns the processes whose marker fits. A handle knows the start time of its process, and is
   * made before the environment is read: so it never signals another process of the same number.
   */
  static List<ProcessHandle> find(Predicate<HostMark> fits) {
    List<ProcessHandle> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
      Object self = Files.getAttribute(PROC.resolve("self"), "unix:uid");
      for (Path folder : folders) {
        Optional<ProcessHandle> handle =
            ProcessHandle.of(Long.parseLong(folder.getFileName().toString()));
        if (handle.isPresent() && owned(folder, self) && mark(folder).filter(fits).isPresent()) {
          found.add(handle.get());
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    return found;
  }

  /** Kills what agents of hosts left that are gone, and returns how many processes that were. */
  static int sweepOrphans() {
    List<ProcessHandle> orphans = find(HostMark::orphaned);
    orphans.forEach(ProcessHandle::destroyForcibly);
    return orphans.size();
  }

  private static boolean owned(Path folder, Object user) {
    try {
      return Files.getAttribute(folder, "unix:uid").equals(user);
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<HostMark> mark(Path folder) {
    String start = HostMark.VARIABLE + "=";
    try (var in = Files.newInputStream(folder.resolve("environ"))) {
      String variables = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      for (String variable : variables.split("\0", -1)) {
        if (variable.startsWith(start)) {
          return HostMark.parse(variable.substring(start.length()));
        }
      }
      return Optional.empty();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }
}
