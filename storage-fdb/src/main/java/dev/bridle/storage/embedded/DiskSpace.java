package dev.bridle.storage.embedded;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Checks the free space of the file system periodically. Rejecting commits early prevents a failed
 * sync on a full disk, after which the store would have to be reopened. Used by the committer only.
 */
final class DiskSpace {
  /** Which writes the free space allows. */
  enum Room {
    ENOUGH,
    /** Only deletions, which free space after writing a few bytes. */
    REMOVALS,
    NONE
  }

  private static final long CHECK_INTERVAL_NANOS = Duration.ofMillis(100).toNanos();
  private static final long CHECK_INTERVAL_BYTES = 16L << 20;

  /** Data is written at least twice (log and file), and again by compactions. */
  private static final int CHECKS_WITHIN_MARGIN = 8;

  private final Path directory;
  private final long minFreeBytes;
  private final EngineEnvironment environment;
  private Room room = Room.ENOUGH;
  private boolean checked;
  private long lastCheck;
  private long writtenSince;

  DiskSpace(Path directory, long minFreeBytes, EngineEnvironment environment) {
    this.directory = directory;
    this.minFreeBytes = minFreeBytes;
    this.environment = environment;
  }

  void wrote(long bytes) {
    writtenSince += bytes;
  }

  Room room(long nanoTime) {
    if (minFreeBytes > 0
        && (!checked
            || nanoTime - lastCheck >= CHECK_INTERVAL_NANOS
            || writtenSince
                >= Math.min(CHECK_INTERVAL_BYTES, minFreeBytes / CHECKS_WITHIN_MARGIN))) {
      room = roomIn(environment.usableBytes().applyAsLong(directory));
      checked = true;
      lastCheck = nanoTime;
      writtenSince = 0;
    }
    return room;
  }

  private Room roomIn(long usableBytes) {
    if (usableBytes >= minFreeBytes) {
      return Room.ENOUGH;
    }
    return usableBytes >= minFreeBytes / 2 ? Room.REMOVALS : Room.NONE;
  }
}
