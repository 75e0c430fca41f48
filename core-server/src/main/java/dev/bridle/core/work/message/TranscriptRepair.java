package dev.bridle.core.work.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.HiddenTurns;
import dev.bridle.record.v1.TranscriptRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.EventPage;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows;
import dev.bridle.storage.layer.RecordRows.Row;
import dev.bridle.storage.layer.StoredEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Completes transcript records of earlier versions, which lost hidden ranges when a truncation went
 * further back than the one before it. The session's log still has them: each {@code
 * session.truncated} event names the last kept turn, and hides everything between that turn and the
 * event. Truncations whose events retention has dropped stay as the record has them.
 */
final class TranscriptRepair {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int ROWS_AT_ONCE = 1000;
  private static final int EVENTS_AT_ONCE = 256;

  /** The tip of a truncation that kept no turn. */
  private static final String NO_TIP = "";

  private final RecordRows rows;
  private final EventLog log;

  TranscriptRepair(RecordRows rows, EventLog log) {
    this.rows = rows;
    this.log = log;
  }

  /** Returns the record with all ranges that its session's truncations have hidden. */
  TranscriptRecord repair(ReadTransaction tr, String tenant, TranscriptRecord record) {
    Map<String, EventId> truncations = lastTruncations(tr, tenant, record.getSessionId());
    List<HiddenTurns> repaired = new ArrayList<>();
    for (HiddenTurns hidden : record.getHiddenList()) {
      HiddenTurns whole = widened(tr, tenant, record.getSessionId(), hidden, truncations);
      boolean overlaps =
          !repaired.isEmpty()
              && !hidden.getAfter().isEmpty()
              && end(repaired.get(repaired.size() - 1)).compareTo(position(hidden.getAfter())) > 0;
      if (overlaps) {
        HiddenTurns earlier = repaired.remove(repaired.size() - 1);
        boolean longer = end(whole).compareTo(end(earlier)) > 0;
        whole = longer ? earlier.toBuilder().setThrough(whole.getThrough()).build() : earlier;
      }
      repaired.add(whole);
    }
    return record.toBuilder().clearHidden().addAllHidden(repaired).build();
  }

  private HiddenTurns widened(
      ReadTransaction tr,
      String tenant,
      String session,
      HiddenTurns hidden,
      Map<String, EventId> truncations) {
    Optional<String> tip =
        hidden.getAfter().isEmpty()
            ? Optional.of(NO_TIP)
            : rows.at(
                tr,
                tenant,
                MessageStore.MESSAGE.number(),
                MessageStore.MESSAGES_BY_SESSION,
                session,
                position(hidden.getAfter()));
    Optional<EventId> truncation = tip.map(truncations::get);
    if (truncation.isEmpty()) {
      return hidden;
    }
    LogPosition end = newestBefore(tr, tenant, session, end(hidden), truncation.get());
    return hidden.toBuilder().setThrough(ByteString.copyFrom(end.toBytes())).build();
  }

  /** Returns the position of the newest message before an event; {@code from} or later. */
  private LogPosition newestBefore(
      ReadTransaction tr, String tenant, String session, LogPosition from, EventId event) {
    LogPosition newest = from;
    while (true) {
      List<Row> page =
          rows.page(
              tr,
              tenant,
              MessageStore.MESSAGE.number(),
              MessageStore.MESSAGES_BY_SESSION,
              session,
              Optional.of(newest),
              ROWS_AT_ONCE);
      for (Row row : page) {
        if (!row.place().upTo(event)) {
          return newest;
        }
        newest = row.place();
      }
      if (page.size() < ROWS_AT_ONCE) {
        return newest;
      }
    }
  }

  /** Returns the newest truncation of a session by its last kept turn. */
  private Map<String, EventId> lastTruncations(ReadTransaction tr, String tenant, String session) {
    Map<String, EventId> truncations = new HashMap<>();
    Optional<EventId> after = Optional.empty();
    boolean more = true;
    while (more) {
      EventPage page =
          log.readStream(tr, tenant, session, after, EVENTS_AT_ONCE, EventLog.PAGE_BYTES);
      for (StoredEvent stored : page.events()) {
        EventRecord event = parse(stored);
        if (event.getEvent().equals(EventKinds.SESSION_TRUNCATED)) {
          tip(event.getPayload()).ifPresent(tip -> truncations.put(tip, stored.id()));
        }
        after = Optional.of(stored.id());
      }
      more = page.cut() || page.events().size() == EVENTS_AT_ONCE;
    }
    return truncations;
  }

  private static EventRecord parse(StoredEvent stored) {
    try {
      return EventRecord.parseFrom(stored.body());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored event is damaged", e);
    }
  }

  /** Returns the last kept turn of a truncation; empty if its event was redacted. */
  private static Optional<String> tip(ByteString payload) {
    try (JsonParser json = JSON.createParser(payload.newInput())) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean found = json.currentName().equals("new_tip_turn_id");
        JsonToken value = json.nextToken();
        if (found) {
          return Optional.of(value == JsonToken.VALUE_STRING ? json.getText() : NO_TIP);
        }
        json.skipChildren();
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static LogPosition end(HiddenTurns hidden) {
    return position(hidden.getThrough());
  }

  private static LogPosition position(ByteString bytes) {
    return LogPosition.fromBytes(bytes.toByteArray());
  }
}
