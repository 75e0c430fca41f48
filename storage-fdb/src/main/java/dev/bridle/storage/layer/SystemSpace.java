package dev.bridle.storage.layer;

import java.util.Locale;
import java.util.Optional;

/**
 * The closed list of subspaces without a tenant. None holds tenant content. Numbers are stored: one
 * is never changed or reused.
 */
public enum SystemSpace {
  /** {@code () → format version; "place" → progress of a migration}. */
  FORMAT(0),
  /** {@code () → number of event partitions}, chosen once. */
  PARTITIONS(1),
  /** {@code slot → counter}: raised by commits that somebody may wait for, and watched. */
  WAKE(2),
  /** {@code shard, due millis, kind, tenant, id → nothing}: the due index. */
  DUE(3),
  /**
   * {@code shard, agent, tenant, commit stamp, task → affinity, workspace}: tasks that wait for a
   * worker.
   */
  QUEUE(4),
  /** {@code secret hash → tenant, key id}. */
  CREDENTIAL(5),
  /** {@code ingress id hash → connector}: ingress paths. */
  INGRESS(6),
  /** {@code name → secret of the installation}, such as the key that signs cursors. */
  INSTALLATION(7),
  /** {@code purpose, key id → signing key}, its private half sealed. */
  SIGNING_KEY(8),
  /** {@code hash of a code or nonce → tenant, nonce}: pairings of the relay. */
  PAIRING(9),
  /**
   * {@code row → process, number}: whose turn a row is that several servers change; {@code row,
   * process → nothing}: who waits for it. A row is named by a hash.
   */
  TURN(10),
  /** {@code key id → key}: keys of other installations that are known to be compromised. */
  COMPROMISED_KEY(11),
  /** {@code key id → installation}: for which one a key of others has signed a verified file. */
  KEY_INSTALLATION(12);

  private static final SystemSpace[] ALL = values(); // Asked for each key of a scan.

  private final int number;
  private final String spelling;

  SystemSpace(int number) {
    this.number = number;
    this.spelling = name().toLowerCase(Locale.ROOT);
  }

  long number() {
    return number;
  }

  static Optional<SystemSpace> of(long number) {
    for (SystemSpace space : ALL) {
      if (space.number == number) {
        return Optional.of(space);
      }
    }
    return Optional.empty();
  }

  /** Returns the subspace's name in lower case, as commands and reports spell it. */
  public String spelling() {
    return spelling;
  }
}
