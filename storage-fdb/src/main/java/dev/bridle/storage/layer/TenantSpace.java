package dev.bridle.storage.layer;

import java.util.Locale;
import java.util.Optional;

/** The subspaces of a tenant. Numbers are stored: one is never changed or reused. */
public enum TenantSpace {
  /** {@code () → tenant record}. */
  TENANT(0),
  /**
   * {@code () → era}, read with a conflict by every append; once the tenant is deleted {@code -1 -
   * era}, the only row that stays.
   */
  ERA(1),
  /** {@code kind, id → record}; {@code kind, id, chunk → rest of a large record}. */
  RECORD(10),
  /** {@code kind, index, values…, era, commit stamp → id}: rows in creation order. */
  INDEX(11),
  /** {@code stream, era, commit stamp → event body}; {@code …, chunk → rest of a large body}. */
  EVENT(20),
  /** {@code task, sequence → event id}. */
  TASK_EVENT(21),
  /** {@code partition, era, commit stamp → stream}: what global reads and tails follow. */
  FEED(22),
  /** {@code stream → id of its newest event}. */
  LAST_EVENT(23),
  /** {@code stream or "" → id right after the newest dropped event}. */
  FLOOR(24),
  /** {@code resource kind, resource id → next sequence}, of resources other than tasks. */
  SEQUENCE(25),
  /**
   * {@code scope hash → command record}, of commands with a client's idempotency key: as earlier
   * releases stored them, with a due entry each.
   */
  IDEMPOTENCY(30),
  /** {@code time bucket, command id → commit stamp}, of all other commands. */
  COMMAND(31),
  /** {@code generation, scope hash → command record}, of commands with an idempotency key. */
  KEYED_COMMAND(32),
  /** {@code task, step key → step record}. */
  STEP(40),
  /** {@code task, fence → heartbeats of that lease}. */
  RENEWAL(41),
  /** {@code task → commit stamp of its queue entry}. */
  QUEUE_PLACE(42),
  /** {@code blob, chunk → bytes}. */
  BLOB(50),
  /** {@code SHA-256 of a file → progress of its import}. */
  IMPORT(60),
  /**
   * {@code owner, measure, period, shard → amount}: usage of a quota, what a party of the relay has
   * sent, or how many children a task has.
   */
  USAGE(70),
  /** {@code () → commit stamp of the last change of a record that is configuration}. */
  CONFIGURATION(80),
  /** {@code owner, folder, era, commit stamp → item}: what waits for a party of the relay. */
  MAILBOX(90),
  /** {@code owner, item → folder, era, commit stamp of its row in the mailbox}. */
  MAILBOX_PLACE(91);

  private static final TenantSpace[] ALL = values(); // Asked for each key of a scan.

  private final int number;
  private final String spelling;

  TenantSpace(int number) {
    this.number = number;
    this.spelling = name().toLowerCase(Locale.ROOT);
  }

  long number() {
    return number;
  }

  static Optional<TenantSpace> of(long number) {
    for (TenantSpace space : ALL) {
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
