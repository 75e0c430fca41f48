package dev.bridle.storage.embedded;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * A memory-mapped file with the last acknowledged version. RocksDB's log recovery stops silently at
 * the first damaged record, as it must for a torn tail; this mark distinguishes lost commits from a
 * torn tail. Updating it is cheap, survives a killed process, and after a power loss it is at worst
 * older than the log.
 */
final class AcknowledgedMark {
  private static final String FILE = "acknowledged";
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final ByteBuffer mark;

  private AcknowledgedMark(ByteBuffer mark) {
    this.mark = mark;
  }

  /** Returns the version of a directory's mark; empty if there is none. */
  static OptionalLong read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    return exists(file)
        ? OptionalLong.of(ByteBuffer.wrap(Files.readAllBytes(file)).getLong())
        : OptionalLong.empty();
  }

  private static boolean exists(Path file) throws IOException {
    return Files.exists(file) && Files.size(file) >= Long.BYTES;
  }

  /** Maps the mark of a directory; a new one is 0. */
  static AcknowledgedMark open(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    boolean isNew = !exists(file);
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (isNew) {
        // Allocated bytes can be written even on a full disk; writing into a hole would raise
        // SIGBUS.
        channel.write(ByteBuffer.allocate(Long.BYTES), 0);
        channel.force(true);
        // Without this, a power loss could remove the new file's name, which would look like a lost
        // mark.
        OpenedDirectory.syncNames(directory);
      }
      return new AcknowledgedMark(channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES));
    }
  }

  void raiseTo(long version) {
    LONG.setRelease(mark, 0, version);
  }
}
