package dev.bridle.storage.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a second process, or a second store of this one, out of a directory. */
final class DirectoryLock implements AutoCloseable {
  private static final String FILE = "store.lock";

  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  static DirectoryLock take(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new DirectoryLock(channel);
      }
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw inUse(directory);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw inUse(directory);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static OpenRefusedException inUse(Path directory) {
    return new OpenRefusedException(
        OpenRefusedException.Reason.IN_USE,
        "The data directory "
            + directory
            + " is in use by another Bridle; stop that one first, or name another directory.");
  }
}
