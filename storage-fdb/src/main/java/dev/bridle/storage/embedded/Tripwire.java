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
 * Eight mapped bytes that hold the last acknowledged version. RocksDB's log recovery stops at the
 * first damaged record without a word, as it must for a torn tail; this mark distinguishes the two.
 * A store to it costs nothing for each commit, survives a killed process, and after a power loss is
 * at worst older than the log.
 */
final class Tripwire {
  private static final String FILE = "acknowledged";
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final ByteBuffer mark;

  private Tripwire(ByteBuffer mark) {
    this.mark = mark;
  }

  /** Returns the version on the mark of a directory; empty where it has no mark. */
  static OptionalLong read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    return exists(file)
        ? OptionalLong.of(ByteBuffer.wrap(Files.readAllBytes(file)).getLong())
        : OptionalLong.empty();
  }

  private static boolean exists(Path file) throws IOException {
    return Files.exists(file) && Files.size(file) >= Long.BYTES;
  }

  /** Maps the mark of a directory; a new one stands at 0. */
  static Tripwire open(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    boolean isNew = !exists(file);
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (isNew) {
        // Bytes that lie on the disk already can be written on a full one; a hole would end in
        // SIGBUS.
        channel.write(ByteBuffer.allocate(Long.BYTES), 0);
        channel.force(true);
        // A power loss that took the new file's name would look like a lost mark.
        OpenedDirectory.syncNames(directory);
      }
      return new Tripwire(channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES));
    }
  }

  void raiseTo(long version) {
    LONG.setRelease(mark, 0, version);
  }
}
