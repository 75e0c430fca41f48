package dev.bridle.storage.fdb;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Options of a store on a cluster.
 *
 * @param clusterFile the cluster file, with the coordinators' addresses
 * @param prefix the prefix of all keys of this store; installations with different prefixes, none
 *     of which is a prefix of another, are isolated. Its bytes count toward the key limit
 * @param connectTimeout how long opening waits for the first response of the cluster
 * @param maxWatches the maximum number of open watches; beyond it a watch fails with {@code
 *     WATCH_LIMIT}
 */
@SuppressWarnings("ArrayRecordComponent") // Options are arguments, never map keys.
public record FdbOptions(Path clusterFile, byte[] prefix, Duration connectTimeout, int maxWatches) {
  /** The maximum length of the prefix, in bytes, so that enough of a key is left for all layers. */
  public static final int MAX_PREFIX_BYTES = 1_000;

  private static final int RESERVED = 0xFF;
  private static final int MAX_WATCHES = 1_000_000;

  /** Checks the prefix and the number of watches. */
  public FdbOptions {
    if (prefix.length > MAX_PREFIX_BYTES) {
      throw new IllegalArgumentException(
          "a key prefix of " + prefix.length + " bytes; " + MAX_PREFIX_BYTES + " is the most");
    }
    if (maxWatches < 1 || maxWatches > MAX_WATCHES) {
      throw new IllegalArgumentException(
          maxWatches + " watches; expected 1 to " + MAX_WATCHES + ", which FoundationDB allows");
    }
    if (prefix.length > 0 && (prefix[0] & 0xFF) == RESERVED) {
      throw new IllegalArgumentException(
          "a key prefix that begins with the byte 0xFF, which belongs to FoundationDB");
    }
    prefix = prefix.clone();
  }

  /** Returns the defaults for that cluster: no prefix, 5 s to answer, 10,000 watches. */
  public static FdbOptions of(Path clusterFile) {
    return new FdbOptions(clusterFile, new byte[0], Duration.ofSeconds(5), 10_000);
  }

  /** Returns the same with another prefix. */
  public FdbOptions withPrefix(byte[] other) {
    return new FdbOptions(clusterFile, other, connectTimeout, maxWatches);
  }

  /** Returns the same with another time for the first answer. */
  public FdbOptions withConnectTimeout(Duration other) {
    return new FdbOptions(clusterFile, prefix, other, maxWatches);
  }
}
