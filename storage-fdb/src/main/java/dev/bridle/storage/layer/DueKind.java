package dev.bridle.storage.layer;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a due entry is about. Numbers are stored: one is never changed nor given to another kind.
 */
public enum DueKind {
  /** A lease to look at: reaped where its worker has gone quiet. */
  LEASE(1),
  /** A task whose worker has not stopped in time after its cancellation was asked for. */
  CANCEL(2),
  /** A parked lease whose hold ends. */
  HOLD(3),
  /** An idempotency record that may go. */
  IDEMPOTENCY(4),
  /** An upload that never ended. */
  UPLOAD(5),
  /** A permission request that nobody has decided in time. */
  PERMISSION(6),
  /** A connector's delivery to work on, or to forget. */
  DELIVERY(7),
  /** A tool call that no client has answered in time. */
  HOST_TOOL(8),
  /** A schedule's run. */
  SCHEDULE(9),
  /** A webhook that has something to send, or to forget. */
  WEBHOOK(10),
  /** A connector's poll, or the end of the claim of one that is under way. */
  POLL(11),
  /** A memory that expires. */
  MEMORY(12);

  private final int number;

  DueKind(int number) {
    this.number = number;
  }

  long number() {
    return number;
  }

  static DueKind of(int number) {
    return find(number)
        .orElseThrow(() -> new IllegalStateException("no due kind has the number " + number));
  }

  /** Returns the kind of a stored number; empty where there is none. */
  public static Optional<DueKind> find(long number) {
    return Arrays.stream(values()).filter(kind -> kind.number == number).findFirst();
  }
}
