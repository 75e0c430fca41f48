package dev.bridle.core.integrations.harpsession;

import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.layer.LayerErrors;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.session.SessionEvent;
import java.util.Map;

/**
 * An event that has arrived.
 *
 * @param place where its session is stored; empty while that is not known
 * @param event the event
 * @param at when it happened
 * @param json the event as canonical JSON
 */
record ReceivedEvent(String place, SessionEvent event, EventTime at, ByteString json) {
  static final String START = "session.start";
  static final String END = "session.end";

  /** The most characters of the id of a session or a snapshot, which are parts of keys. */
  private static final int MAX_ID = 256;

  private static final Map<String, String> TIMES =
      Map.of("session.status", "updatedAt", END, "endedAt");

  /** Checks an event. */
  static ReceivedEvent of(byte[] canonical) throws HarpException {
    SessionEvent event = SessionEvent.parse(canonical);
    String snapshot = event.snapshot().map(SessionEvent.Snapshot::id).orElse("");
    if (event.sessionId().length() > MAX_ID || snapshot.length() > MAX_ID) {
      throw LayerErrors.schema("An id has more than " + MAX_ID + " characters.");
    }
    String member = TIMES.getOrDefault(event.type(), "createdAt");
    return new ReceivedEvent(
        "",
        event,
        EventTime.parse(event.json().get(member).textValue()),
        ByteString.copyFrom(canonical));
  }

  /** Returns the event of a session that is stored at a place. */
  ReceivedEvent in(String other) {
    return new ReceivedEvent(other, event, at, json);
  }

  boolean isStart() {
    return event.type().equals(START);
  }

  boolean isEnd() {
    return event.type().equals(END);
  }

  boolean isSnapshot() {
    return event.snapshot().isPresent();
  }

  /** Returns the key of the event in its session: the same event again has the same one. */
  String key() {
    int rank = isStart() ? 0 : isEnd() ? 2 : 1;
    return at.key() + "/" + rank + "/" + HarpJson.hex(json.toByteArray());
  }
}
