package dev.bridle.core.api.event;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import java.util.Optional;

/** Uses event ids as cursors. A cursor before the oldest retained event is rejected as expired. */
final class EventCursors {
  private EventCursors() {}

  /** Parses a cursor; {@code invalid_request} if it is not an event id. */
  static Optional<EventId> parse(boolean given, String text, String param) {
    if (!given) {
      return Optional.empty();
    }
    Optional<EventId> id = EventId.parse(text);
    if (id.isEmpty()) {
      throw ProtocolException.invalid(param, "is no event id; give the id of an event or none");
    }
    return id;
  }

  /** Returns whether events after a cursor have been dropped. */
  static boolean expired(ReadTransaction tr, EventLog log, EventScope scope, EventId cursor) {
    return oldest(tr, log, scope).filter(start -> cursor.compareTo(start) < 0).isPresent();
  }

  /**
   * Returns the cursor that a reader without one begins after: right before the oldest retained
   * event. Empty where nothing has been dropped.
   */
  static Optional<EventId> oldest(ReadTransaction tr, EventLog log, EventScope scope) {
    Optional<EventId> floor =
        scope.session().isPresent()
            ? log.floor(tr, scope.tenant(), scope.session().get())
            : log.floor(tr, scope.tenant());
    return floor.map(EventId::justBefore);
  }

  /** Returns the error for an expired cursor. */
  static ProtocolException refused() {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_CURSOR_EXPIRED,
        "The cursor is older than what is retained, or none of this server's; begin again without one.");
  }
}
