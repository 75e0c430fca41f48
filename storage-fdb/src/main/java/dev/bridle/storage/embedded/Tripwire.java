package dev.bridle.storage.embedded;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Eight mapped bytes that hold the last acknowledged version. RocksDB's log recovery stops at the
 * first damaged record without a word, as it must for a torn tail; this mark tells the two apart. A
 * store to it costs nothing for each commit, survives a killed process, and after a power loss is
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

  static boolean exists(Path directory) {
    return Files.exists(directory.resolve(FILE));
  }

  /** Maps the mark of a directory; a new one stands at 0. */
  static Tripwire open(Path directory) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            directory.resolve(FILE),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
      return new Tripwire(mapped);
    }
  }

  long version() {
    return (long) LONG.getAcquire(mark, 0);
  }

  void raiseTo(long version) {
    LONG.setRelease(mark, 0, version);
  }
}
