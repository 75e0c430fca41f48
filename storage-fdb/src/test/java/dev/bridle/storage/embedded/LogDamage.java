package dev.bridle.storage.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** What a power loss or a bad disk does to a file from some byte on. */
enum LogDamage {
  /** The file ends earlier. */
  CUT {
    @Override
    void apply(FileChannel file, long from, Random random) throws IOException {
      file.truncate(within(from, file.size(), random));
    }
  },
  /** Single bytes are other ones. */
  FLIP {
    @Override
    void apply(FileChannel file, long from, Random random) throws IOException {
      for (int i = random.nextInt(8); i >= 0 && from < file.size(); i--) {
        long at = within(from, file.size(), random);
        ByteBuffer one = ByteBuffer.allocate(1);
        file.read(one, at);
        one.put(0, (byte) (one.get(0) ^ (1 << random.nextInt(8)))).rewind();
        file.write(one, at);
      }
    }
  },
  /** The file has its length, and zeros where data should be. */
  ZERO_TO_END {
    @Override
    void apply(FileChannel file, long from, Random random) throws IOException {
      long at = within(from, file.size(), random);
      file.write(ByteBuffer.allocate((int) (file.size() - at)), at);
    }
  },
  /** One page in the middle never reached the disk. */
  ZERO_PAGE {
    @Override
    void apply(FileChannel file, long from, Random random) throws IOException {
      long at = within(from, file.size(), random);
      long end = Math.min(file.size(), (at / PAGE + 1) * PAGE);
      file.write(ByteBuffer.allocate((int) (end - at)), at);
    }
  },
  /** A piece is something else. */
  SCRIBBLE {
    @Override
    void apply(FileChannel file, long from, Random random) throws IOException {
      long at = within(from, file.size(), random);
      byte[] garbage = new byte[(int) Math.min(file.size() - at, 1 + random.nextInt(500))];
      random.nextBytes(garbage);
      file.write(ByteBuffer.wrap(garbage), at);
    }
  },
  /** The file ends earlier, and something else follows. */
  CUT_AND_GARBAGE {
    @Override
    void apply(FileChannel file, long from, Random random) throws IOException {
      CUT.apply(file, from, random);
      byte[] garbage = new byte[random.nextInt(3 * PAGE)];
      random.nextBytes(garbage);
      file.write(ByteBuffer.wrap(garbage), file.size());
    }
  };

  private static final int PAGE = 4096;

  /** Damages a file that is at least as long as {@code from}; bytes before stay as they are. */
  abstract void apply(FileChannel file, long from, Random random) throws IOException;

  void apply(Path path, long from, Random random) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      apply(file, from, random);
    }
  }

  static LogDamage any(Random random) {
    return values()[random.nextInt(values().length)];
  }

  /** Returns a place in the file; its end where nothing follows {@code from}. */
  private static long within(long from, long size, Random random) {
    return from >= size ? size : from + (long) (random.nextDouble() * (size - from));
  }
}
