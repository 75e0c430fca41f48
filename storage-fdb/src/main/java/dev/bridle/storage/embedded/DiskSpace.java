package dev.bridle.storage.embedded;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Looks now and then whether the file system still has room. Refusing commits early keeps a full
 * disk from failing a sync, after which the store could not go on at all. Used by the committer
 * alone.
 */
final class DiskSpace {
  private static final long LOOK_EVERY_NANOS = Duration.ofMillis(100).toNanos();
  private static final long LOOK_EVERY_BYTES = 16L << 20;

  private final Path directory;
  private final long minFreeBytes;
  private final Surroundings surroundings;
  private boolean low;
  private boolean looked;
  private long lastLook;
  private long writtenSince;

  DiskSpace(Path directory, long minFreeBytes, Surroundings surroundings) {
    this.directory = directory;
    this.minFreeBytes = minFreeBytes;
    this.surroundings = surroundings;
  }

  void wrote(long bytes) {
    writtenSince += bytes;
  }

  boolean isLow(long nanoTime) {
    if (minFreeBytes > 0
        && (!looked
            || nanoTime - lastLook >= LOOK_EVERY_NANOS
            || writtenSince >= LOOK_EVERY_BYTES)) {
      low = surroundings.usableBytes().applyAsLong(directory) < minFreeBytes;
      looked = true;
      lastLook = nanoTime;
      writtenSince = 0;
    }
    return low;
  }
}
