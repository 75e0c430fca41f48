package dev.bridle.storage.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Locks a directory against other processes and other stores of this process, and restricts it to
 * its owner. The lock file contains the process id of the holder, for error messages.
 */
public final class DirectoryLock implements AutoCloseable {
  static final String FILE = "store.lock";
  private static final int MAX_PID_DIGITS = 20;

  /**
   * The directories that this process has open. The operating system drops all of a process's locks
   * on a file when it closes any handle of it, so a second attempt must not even open the file.
   */
  private static final Set<Path> HELD = new HashSet<>();

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Locks an existing directory.
   *
   * @throws OpenRefusedException if another process, or this one, holds the lock
   */
  public static DirectoryLock take(Path directory) throws IOException {
    Path real = directory.toRealPath();
    synchronized (HELD) {
      if (HELD.contains(real)) {
        throw inUse(directory, Optional.of(Long.toString(ProcessHandle.current().pid())));
      }
      FileChannel channel =
          FileChannel.open(
              directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        FileLock lock = channel.tryLock();
        if (lock == null) {
          throw inUse(directory, holder(directory));
        }
        byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(US_ASCII);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(pid), 0);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
      OwnerOnly.close(real);
      HELD.add(real);
      return new DirectoryLock(real, channel);
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (HELD) {
      channel.close();
      HELD.remove(directory);
    }
  }

  /** Returns the id of the process that holds the lock, if its file contains it. */
  private static Optional<String> holder(Path directory) {
    try {
      String text = Files.readString(directory.resolve(FILE), US_ASCII);
      return text.length() <= MAX_PID_DIGITS && text.matches("\\d+")
          ? Optional.of(text)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // Some systems prevent others from reading a locked file.
    }
  }

  private static OpenRefusedException inUse(Path directory, Optional<String> pid) {
    return new OpenRefusedException(
        OpenRefusedException.Reason.IN_USE,
        "The data directory "
            + directory
            + " is in use by another Bridle"
            + pid.map(id -> " (process " + id + ")").orElse("")
            + "; stop that one first, or use another directory.");
  }
}
