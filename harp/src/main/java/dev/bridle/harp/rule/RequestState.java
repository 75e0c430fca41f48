package dev.bridle.harp.rule;

import java.util.Map;
import java.util.Optional;

/** Where a request for a decision stands at its enforcer. Only {@link #APPROVED} may execute. */
public enum RequestState {
  /** It is made, and nobody has it. */
  CREATED,
  /** A gateway has taken it. */
  AWAITING_DECISION,
  /** A valid decision allows it. */
  APPROVED,
  /** A valid decision denies it. */
  DENIED,
  /** Its time is over. */
  EXPIRED,
  /** It was taken back, or decided elsewhere. */
  WITHDRAWN,
  /** What was approved has been done. */
  EXECUTED;

  /** What may happen. */
  public enum Event {
    /** A gateway has accepted the artifact. */
    ACCEPTED,
    /** A decision that holds allows. */
    ALLOWED,
    /** A decision that holds denies. */
    DENIED,
    /** The question was closed elsewhere, or the key was revoked. */
    CLOSED,
    /** The time is over. */
    TIME,
    /** The approval is used. */
    USED
  }

  private static final Map<Event, RequestState> OPEN =
      Map.of(
          Event.ACCEPTED, AWAITING_DECISION,
          Event.ALLOWED, APPROVED,
          Event.DENIED, DENIED,
          Event.CLOSED, WITHDRAWN,
          Event.TIME, EXPIRED);

  private static final Map<RequestState, Map<Event, RequestState>> TABLE =
      Map.of(
          CREATED, OPEN,
          AWAITING_DECISION, OPEN,
          APPROVED, Map.of(Event.CLOSED, WITHDRAWN, Event.TIME, EXPIRED, Event.USED, EXECUTED));

  /** Returns the state that follows; empty if that can't happen here, and nothing changes. */
  public Optional<RequestState> after(Event event) {
    return Optional.ofNullable(TABLE.getOrDefault(this, Map.of()).get(event));
  }

  /** Returns whether nothing can follow. */
  public boolean isTerminal() {
    return !TABLE.containsKey(this);
  }
}
