package dev.bridle.core.integrations.harpsession;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.record.v1.LayerSessionRecord;
import dev.bridle.record.v1.LayerTotalsRecord;

/** Which events a session accepts, in which state. */
final class SessionRules {
  private SessionRules() {}

  static HarpException invalidState(String reason, String message) {
    return new HarpException(HarpErrorCode.SESSION_INVALID_STATE, reason, message);
  }

  static HarpException notStarted() {
    return invalidState("not_started", "The session has not begun here; send its start first.");
  }

  /** Checks that an event is not of a time to come. */
  static void needPast(ReceivedEvent event, long now) throws HarpException {
    if (event.at().millis() > now + SessionLimits.SKEW.toMillis()) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT, "created_in_the_future", "The event is of a time to come.");
    }
  }

  /**
   * Checks that a session which may have ended accepts a further event: one that came late, and had
   * happened before the end.
   *
   * @param endedKey the time of the end; empty before
   * @param closedAt when the end was stored, in Unix milliseconds
   */
  static void needOpen(ReceivedEvent event, String endedKey, long closedAt, long now)
      throws HarpException {
    if (endedKey.isEmpty()) {
      return;
    }
    boolean isLate =
        !event.isEnd()
            && event.at().key().compareTo(endedKey) <= 0
            && now <= closedAt + SessionLimits.LATE.toMillis();
    if (!isLate) {
      throw new HarpException(HarpErrorCode.SESSION_CLOSED, "closed", "The session has ended.");
    }
  }

  /** Checks that a session of another host accepts a further event, which is not its start. */
  static void needFurther(ReceivedEvent event, LayerSessionRecord session, long now)
      throws HarpException {
    if (event.isStart()) {
      throw invalidState("started", "The session has begun with another start.");
    }
    needOpen(event, session.getEndedKey(), session.getClosedAt(), now);
    if (event.isEnd() && event.at().key().compareTo(session.getStartedKey()) < 0) {
      throw invalidState("before_start", "The session would end before it has begun.");
    }
  }

  /**
   * Checks that there is room for an event.
   *
   * @param events how many events the session has; 0 for a session that begins
   */
  static void needRoom(ReceivedEvent event, int events, LayerTotalsRecord totals)
      throws HarpException {
    if (event.isEnd() && event.json().size() <= SessionLimits.MAX_END_BYTES) {
      return; // What is full can be ended.
    }
    if (events >= SessionLimits.MAX_EVENTS) {
      throw full("too_many_events", "The session has as many events as it may.");
    }
    if (events == 0 && totals.getSessions() >= SessionLimits.MAX_SESSIONS) {
      throw full("too_many_sessions", "The tenant has as many sessions as it may.");
    }
    if (totals.getBytes() + event.json().size() > SessionLimits.MAX_BYTES) {
      throw full("too_many_bytes", "The tenant stores as much of sessions as it may.");
    }
  }

  private static HarpException full(String reason, String message) {
    return new HarpException(HarpErrorCode.POLICY_DENY, reason, message);
  }

  static HarpException duplicateSnapshot() {
    return new HarpException(
        HarpErrorCode.SESSION_DUPLICATE_SNAPSHOT,
        "another_hash",
        "The session has another snapshot of this id.");
  }
}
