package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.bytes;

import dev.bridle.storage.StoreException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that opens a store, or fills its disk, and tells on stdout what came of it. Arguments:
 * {@code open DIRECTORY}, or {@code fill DIRECTORY MIN_FREE_BYTES}.
 */
final class DiskProcess {
  private static final byte[] VALUE = new byte[50_000];

  static {
    new Random(1).nextBytes(VALUE); // Zeros would be compressed to nothing.
  }

  private static final int BALLAST_BYTES = 8 << 20;

  /** Half of the disk: on a full one, the room must do for merging what fills the other half. */
  private static final int LARGE_BALLAST_BYTES = 32 << 20;

  private static final long NEXT_TRY_NANOS = 5_000_000;

  private final PrintStream out;
  private final Path directory;

  private DiskProcess(PrintStream out, Path directory) {
    this.out = out;
    this.directory = directory;
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
    DiskProcess process = new DiskProcess(out, Path.of(arguments[1]));
    try {
      if (arguments[0].equals("open")) {
        process.open();
      } else {
        process.fill(Long.parseLong(arguments[2]));
      }
    } catch (OpenRefusedException e) {
      out.println("refused " + e.reason() + " " + e.getMessage());
    }
  }

  private void open() {
    try (EmbeddedStore store = EmbeddedStore.open(directory, options(0))) {
      TestStore.put(store, "opened", "once");
      out.println("opened");
    }
  }

  /** Fills the disk, makes room by removing a file, and goes on; a failed store is reopened. */
  private void fill(long minFreeBytes) throws IOException {
    Path ballast =
        Files.write(
            directory.resolve("ballast"),
            new byte[minFreeBytes == 0 ? LARGE_BALLAST_BYTES : BALLAST_BYTES]);
    int acknowledged;
    try (EmbeddedStore store = EmbeddedStore.open(directory, options(minFreeBytes))) {
      acknowledged = commitUntilItFails(store);
      tell("again", store, acknowledged);
      if (minFreeBytes == 0) {
        out.println("cause " + store.failure().join().getCause().getMessage());
      } else {
        out.println("readable " + isThere(store, acknowledged));
        Files.delete(ballast);
        awaitRoom(store, acknowledged, "room again");
      }
    }
    Files.deleteIfExists(ballast);
    try (EmbeddedStore store = EmbeddedStore.open(directory, options(minFreeBytes))) {
      int there = 0;
      while (isThere(store, there + 1)) {
        there++;
      }
      out.println("reopened " + (there >= acknowledged && there <= acknowledged + 1));
      awaitRoom(store, there, "then committed");
    }
  }

  private static boolean isThere(EmbeddedStore store, int number) {
    return store.read(tr -> tr.get(key(number))).isPresent();
  }

  private int commitUntilItFails(EmbeddedStore store) {
    int acknowledged = 0;
    try {
      while (true) {
        commit(store, acknowledged + 1);
        acknowledged++;
      }
    } catch (StoreException e) {
      out.println("failed " + e.code() + " " + (acknowledged > 0));
    }
    return acknowledged;
  }

  private void tell(String when, EmbeddedStore store, int acknowledged) {
    try {
      commit(store, acknowledged + 1);
      out.println(when + " committed");
    } catch (StoreException e) {
      out.println(when + " " + e.code());
    }
  }

  /**
   * The store looks at the disk ten times a second, and merging its files takes room for a moment.
   */
  private void awaitRoom(EmbeddedStore store, int acknowledged, String then) {
    long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (System.nanoTime() < deadline) {
      try {
        commit(store, acknowledged + 1);
        out.println(then);
        return;
      } catch (StoreException e) {
        LockSupport.parkNanos(NEXT_TRY_NANOS);
      }
    }
  }

  private static void commit(EmbeddedStore store, int number) {
    store.transact(
        tr -> {
          tr.set(key(number), VALUE);
          return number;
        });
  }

  private static byte[] key(int number) {
    return bytes("number " + number);
  }

  private static EmbeddedOptions options(long minFreeBytes) {
    return new EmbeddedOptions(1 << 20, 1 << 20, 64, 1 << 20, 1 << 20, 10, minFreeBytes, false);
  }
}
