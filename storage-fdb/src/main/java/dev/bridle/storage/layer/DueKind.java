package dev.bridle.storage.layer;

import java.util.Arrays;
import java.util.Optional;

/** The kinds of due entries. Numbers are stored: one is never changed or reused. */
public enum DueKind {
  /** A lease to check: expired if its worker sent no heartbeats. */
  LEASE(1),
  /**
   * A task whose worker has not stopped within the grace period after its cancellation was
   * requested.
   */
  CANCEL(2),
  /** A parked lease whose hold ends. */
  HOLD(3),
  /** An idempotency record of an earlier release that expires; new ones expire by generation. */
  IDEMPOTENCY(4),
  /** An upload that never ended. */
  UPLOAD(5),
  /** A permission request that expires. */
  PERMISSION(6),
  /** A connector's delivery to process, or to delete. */
  DELIVERY(7),
  /** A host tool call that times out. */
  HOST_TOOL(8),
  /** A schedule's run. */
  SCHEDULE(9),
  /** A webhook that has deliveries to send, or to delete. */
  WEBHOOK(10),
  /** A connector's poll, or the expiry of the claim of a running one. */
  POLL(11),
  /** A memory that expires. */
  MEMORY(12),
  /** A redaction whose stored copies are still being erased. */
  REDACTION(13),
  /** An exchange of the relay that expires, or is to be removed. */
  EXCHANGE(14),
  /** A channel of the relay whose process may be gone, or that is to be removed. */
  CHANNEL(15),
  /** A pairing that ends, or is to be removed. */
  PAIRING(16),
  /** A request for a signed decision to send, to look after, to take back, or to remove. */
  HARP_REQUEST(17),
  /** A prompt of HARP that expires, or is to be removed. */
  PROMPT(18),
  /** A session that HARP shows, to be removed. */
  LAYER_SESSION(19),
  /** A replay that no worker has taken that runs its handler. */
  REPLAY_WORKER(20);

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
