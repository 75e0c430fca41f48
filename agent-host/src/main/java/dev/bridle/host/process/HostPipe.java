package dev.bridle.host.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A pipe with a name that nobody writes to. Who reads from it learns of the end of this host,
 * however it ends. One for a process, made when it is first needed.
 */
final class HostPipe {
  private static final long PATIENCE_SECONDS = 10;

  /** All of them: one whose file was tidied away still holds the agents that read it. */
  private static final List<HostPipe> MADE = new ArrayList<>();

  private final Path path;

  /** Held open for as long as this process lives. */
  private final RandomAccessFile writer;

  private HostPipe(Path path) throws IOException {
    this.path = path;
    this.writer = new RandomAccessFile(path.toFile(), "rw"); // Alone for writing it would wait.
  }

  /**
   * Returns its path.
   *
   * @throws IOException if this system can't make one
   */
  static synchronized Path path() throws IOException {
    if (MADE.isEmpty() || !Files.exists(MADE.get(MADE.size() - 1).path)) {
      MADE.add(new HostPipe(make()));
    }
    return MADE.get(MADE.size() - 1).path;
  }

  private static Path make() throws IOException {
    Path directory = Files.createTempDirectory("bridle-host-");
    Path path = directory.resolve("ends");
    directory.toFile().deleteOnExit();
    path.toFile().deleteOnExit(); // The later registered is deleted first.
    Process mkfifo = new ProcessBuilder("mkfifo", "-m", "600", path.toString()).start();
    try {
      if (!mkfifo.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || mkfifo.exitValue() != 0) {
        throw new IOException("mkfifo failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return path;
  }

  @Override
  public String toString() {
    return "HostPipe[" + path + ", " + writer + "]";
  }
}
