package dev.bridle.storage.embedded;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Looks now and then whether the file system still has room. Refusing commits early keeps a full
 * disk from failing a sync, after which the store could not go on at all. Used by the committer
 * alone.
 */
final class DiskSpace {
  /** What may still be written. */
  enum Room {
    ENOUGH,
    /** What makes room in the end: removing costs a few bytes first. */
    REMOVALS,
    NONE
  }

  private static final long LOOK_EVERY_NANOS = Duration.ofMillis(100).toNanos();
  private static final long LOOK_EVERY_BYTES = 16L << 20;

  /** What is written between two looks comes to the disk twice, and more where files are merged. */
  private static final int LOOKS_WITHIN_MARGIN = 8;

  private final Path directory;
  private final long minFreeBytes;
  private final Surroundings surroundings;
  private Room room = Room.ENOUGH;
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

  Room room(long nanoTime) {
    if (minFreeBytes > 0
        && (!looked
            || nanoTime - lastLook >= LOOK_EVERY_NANOS
            || writtenSince >= Math.min(LOOK_EVERY_BYTES, minFreeBytes / LOOKS_WITHIN_MARGIN))) {
      room = roomIn(surroundings.usableBytes().applyAsLong(directory));
      looked = true;
      lastLook = nanoTime;
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
