package dev.bridle.host.rpc;

/** A call or message that got no answer, or a peer that ended: why, by name and in a sentence. */
public final class PeerException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** This side closed the peer. */
    CLOSED,
    /** The other side's stream ended. */
    ENDED,
    /** A stream could not be read. */
    READ_FAILED,
    /** A stream could not be written. */
    WRITE_FAILED,
    /** No answer came in time; one that comes later is ignored. */
    TIMED_OUT,
    /** The other side does not read: as much as may wait for it waits. */
    OUTGOING_FULL,
    /** The handler did not take what arrived for too long. */
    INCOMING_STALLED,
    /** As many calls are open as may be. */
    TOO_MANY_CALLS,
    /** A message, or the answer to a call, is longer than a line may be. */
    MESSAGE_TOO_LONG,
    /** The answer was neither a result nor an error. */
    BAD_ANSWER
  }

  private final Reason reason;

  PeerException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Returns why. */
  public Reason reason() {
    return reason;
  }
}
