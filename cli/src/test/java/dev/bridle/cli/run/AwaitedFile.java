package dev.bridle.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A file by which a test tells an agent, which is another process, to go on. */
final class AwaitedFile {
  /** Shorter than a test waits for what the agent then does. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private AwaitedFile() {}

  /** Waits until there is a file. An agent that waits in vain ends, and its host says why. */
  static void await(Path file) {
    long begun = System.nanoTime();
    while (!Files.exists(file)) {
      if (System.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new IllegalStateException("nobody has made the file " + file);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }
}
