package dev.bridle.host.acp;

import java.util.Map;
import java.util.Optional;

/** Where a session stands, and what may happen to it there. */
public enum SessionPhase {
  /** It is being taken up or made; what the agent reports is history. */
  OPENING,
  /** It was loaded; what the agent reports before the next prompt may still be history. */
  LOADED,
  /** No turn is open. */
  IDLE,
  /** A turn is open. */
  PROMPTING,
  /** The open turn was cancelled, and has not ended. */
  CANCELLING,
  /** A daemon waits for something to do; its prompt may never be answered. */
  WAITING,
  /** The agent is gone, or the session could not be opened. */
  CLOSED;

  /** What may happen. */
  enum Event {
    OPENED,
    REPLAYED,
    PROMPTED,
    CANCELLED,
    TURN_ENDED,
    WAITS,
    ENDED
  }

  private static final Map<SessionPhase, Map<Event, SessionPhase>> TABLE =
      Map.of(
          OPENING, Map.of(Event.OPENED, IDLE, Event.REPLAYED, LOADED, Event.ENDED, CLOSED),
          LOADED, Map.of(Event.PROMPTED, PROMPTING, Event.ENDED, CLOSED),
          IDLE, Map.of(Event.PROMPTED, PROMPTING, Event.ENDED, CLOSED),
          PROMPTING,
              Map.of(
                  Event.CANCELLED,
                  CANCELLING,
                  Event.TURN_ENDED,
                  IDLE,
                  Event.WAITS,
                  WAITING,
                  Event.ENDED,
                  CLOSED),
          CANCELLING, Map.of(Event.TURN_ENDED, IDLE, Event.WAITS, WAITING, Event.ENDED, CLOSED),
          WAITING, Map.of(Event.PROMPTED, PROMPTING, Event.TURN_ENDED, IDLE, Event.ENDED, CLOSED),
          CLOSED, Map.of());

  /** The phase that follows; empty if that can't happen here. */
  Optional<SessionPhase> after(Event event) {
    return Optional.ofNullable(TABLE.get(this).get(event));
  }

  /** Whether what the agent reports is of an earlier turn, which was recorded then. */
  boolean replays() {
    return this == OPENING || this == LOADED;
  }

  /** Whether the agent has ended a turn, and takes the next. */
  public boolean isBetweenTurns() {
    return this == IDLE || this == WAITING;
  }

  /** Whether a question of the agent can be asked. */
  boolean asks() {
    return this == PROMPTING;
  }
}
