package dev.bridle.storage.fdb;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a store on a cluster is opened.
 *
 * @param clusterFile the file that says where the cluster's coordinators are
 * @param prefix what all keys of this store begin with on the cluster; several installations with
 *     different prefixes, none of which begins with another, know nothing of each other. Its bytes
 *     count as part of each key
 * @param connectTimeout how long opening waits for the cluster to answer once
 * @param maxWatches how many watches there may be at a time; beyond it a watch fails with {@code
 *     WATCH_LIMIT}
 */
@SuppressWarnings("ArrayRecordComponent") // Options are arguments, never map keys.
public record FdbOptions(Path clusterFile, byte[] prefix, Duration connectTimeout, int maxWatches) {
  /** The longest prefix, in bytes: what is left of a key must do for every layer. */
  public static final int MAX_PREFIX_BYTES = 1_000;

  private static final int RESERVED = 0xFF;
  private static final int MOST_WATCHES = 1_000_000;

  /** Checks the prefix and the number of watches. */
  public FdbOptions {
    if (prefix.length > MAX_PREFIX_BYTES) {
      throw new IllegalArgumentException(
          "a key prefix of " + prefix.length + " bytes; " + MAX_PREFIX_BYTES + " is the most");
    }
    if (maxWatches < 1 || maxWatches > MOST_WATCHES) {
      throw new IllegalArgumentException(
          maxWatches + " watches; expected 1 to " + MOST_WATCHES + ", which FoundationDB allows");
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
