package dev.bridle.storage.embedded;

/**
 * Options of an embedded store.
 *
 * @param blockCacheBytes memory for blocks read from disk, indexes and filters; 32 MiB
 * @param writeBufferBytes memory for writes that are not yet in a sorted file, twice at most; 16
 *     MiB
 * @param maxQueuedCommits how many commits may wait for the committer before others wait to queue;
 *     4096
 * @param maxBatchBytes about how many bytes of writes go into one synced write; 8 MiB
 * @param conflictWindowBytes memory for the keys written in the last five seconds; a transaction
 *     that read before what still fits is too old; 64 MiB
 * @param maxWatches how many watches may be open; 10,000
 * @param minFreeBytes commits are refused while the file system has less than this left; 256 MiB
 * @param acceptLoss whether to open a store whose acknowledged commits are partly missing; false
 */
public record EmbeddedOptions(
    long blockCacheBytes,
    long writeBufferBytes,
    int maxQueuedCommits,
    long maxBatchBytes,
    long conflictWindowBytes,
    int maxWatches,
    long minFreeBytes,
    boolean acceptLoss) {
  private static final long MIB = 1L << 20;

  /** The defaults, for a small machine. */
  public static final EmbeddedOptions DEFAULT =
      new EmbeddedOptions(32 * MIB, 16 * MIB, 4096, 8 * MIB, 64 * MIB, 10_000, 256 * MIB, false);

  /** Checks that every limit is positive; free space may be 0, which disables the check. */
  public EmbeddedOptions {
    positive("blockCacheBytes", blockCacheBytes);
    positive("writeBufferBytes", writeBufferBytes);
    positive("maxQueuedCommits", maxQueuedCommits);
    positive("maxBatchBytes", maxBatchBytes);
    positive("conflictWindowBytes", conflictWindowBytes);
    positive("maxWatches", maxWatches);
    if (minFreeBytes < 0) {
      throw new IllegalArgumentException(
          "minFreeBytes is " + minFreeBytes + ", expected 0 or more");
    }
  }

  /** Returns these options with another size of the block cache. */
  public EmbeddedOptions withBlockCacheBytes(long bytes) {
    return new EmbeddedOptions(
        bytes,
        writeBufferBytes,
        maxQueuedCommits,
        maxBatchBytes,
        conflictWindowBytes,
        maxWatches,
        minFreeBytes,
        acceptLoss);
  }

  /** Returns these options with another size of the conflict window. */
  public EmbeddedOptions withConflictWindowBytes(long bytes) {
    return new EmbeddedOptions(
        blockCacheBytes,
        writeBufferBytes,
        maxQueuedCommits,
        maxBatchBytes,
        bytes,
        maxWatches,
        minFreeBytes,
        acceptLoss);
  }

  /** Returns these options with another number of watches. */
  public EmbeddedOptions withMaxWatches(int watches) {
    return new EmbeddedOptions(
        blockCacheBytes,
        writeBufferBytes,
        maxQueuedCommits,
        maxBatchBytes,
        conflictWindowBytes,
        watches,
        minFreeBytes,
        acceptLoss);
  }

  /** Returns these options with another watermark for free disk space. */
  public EmbeddedOptions withMinFreeBytes(long bytes) {
    return new EmbeddedOptions(
        blockCacheBytes,
        writeBufferBytes,
        maxQueuedCommits,
        maxBatchBytes,
        conflictWindowBytes,
        maxWatches,
        bytes,
        acceptLoss);
  }

  /** Returns these options with the loss of acknowledged commits accepted or not. */
  public EmbeddedOptions withAcceptLoss(boolean accept) {
    return new EmbeddedOptions(
        blockCacheBytes,
        writeBufferBytes,
        maxQueuedCommits,
        maxBatchBytes,
        conflictWindowBytes,
        maxWatches,
        minFreeBytes,
        accept);
  }

  private static void positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + ", expected 1 or more");
    }
  }
}
