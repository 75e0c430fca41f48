package dev.bridle.core.work.redaction;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.EventPage;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows;
import dev.bridle.storage.layer.RecordRows.Row;
import dev.bridle.storage.layer.StoredEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds events of streams that belong to no task. Reads each stream once. */
final class SessionContent {
  private static final int ROWS_AT_ONCE = 1000;
  private static final int EVENTS_AT_ONCE = 500;

  /** The maximum number of messages, of all sessions, whose places are kept. */
  private static final int PLACES_KEPT = 50_000;

  private final CoreContext context;
  private final String tenant;
  private final RecordRows rows;
  private final Map<String, Places> messages = new HashMap<>();
  private int kept;

  SessionContent(CoreContext context, String tenant) {
    this.context = context;
    this.tenant = tenant;
    this.rows = new RecordRows(context.layout());
  }

  /** Returns the event of a message, whose position the message has; it may have been dropped. */
  Optional<EventId> eventOf(Message message) {
    String session = message.getSessionId();
    Optional<LogPosition> place =
        messages.computeIfAbsent(session, Places::new).of(message.getId());
    return place.flatMap(
        at -> {
          EventId event = EventId.at(at, context.log().partitionOf(session));
          return context
              .store()
              .read(tr -> context.log().find(tr, tenant, event))
              .map(StoredEvent::id);
        });
  }

  /** The places of a session's messages, of which the first ones are kept. */
  private final class Places {
    private final String session;
    private final Map<String, LogPosition> known = new HashMap<>();
    private Optional<LogPosition> upTo = Optional.empty();
    private boolean whole;

    Places(String session) {
      this.session = session;
    }

    Optional<LogPosition> of(String message) {
      Optional<LogPosition> found = Optional.ofNullable(known.get(message));
      Optional<LogPosition> after = upTo;
      boolean more = !whole;
      while (found.isEmpty() && more) {
        List<Row> page = page(after);
        more = page.size() == ROWS_AT_ONCE;
        after = page.isEmpty() ? after : Optional.of(page.get(page.size() - 1).place());
        if (kept < PLACES_KEPT) {
          kept += page.size();
          page.forEach(row -> known.put(row.id(), row.place()));
          upTo = after;
          whole = !more;
        }
        found = page.stream().filter(row -> row.id().equals(message)).map(Row::place).findFirst();
      }
      return found;
    }

    private List<Row> page(Optional<LogPosition> after) {
      return context
          .store()
          .read(
              tr ->
                  rows.page(
                      tr,
                      tenant,
                      MessageStore.MESSAGE.number(),
                      MessageStore.MESSAGES_BY_SESSION,
                      session,
                      after,
                      ROWS_AT_ONCE));
    }
  }

  /** Returns the events of some kinds that are about an artifact, and of no task. */
  List<EventId> eventsOfArtifact(String stream, String artifact, Set<String> kinds) {
    List<EventId> found = new ArrayList<>();
    Optional<EventId> after = Optional.empty();
    boolean more = true;
    while (more) {
      Optional<EventId> from = after;
      EventPage page =
          context
              .store()
              .read(
                  tr ->
                      context
                          .log()
                          .readStream(
                              tr, tenant, stream, from, EVENTS_AT_ONCE, EventLog.PAGE_BYTES));
      for (StoredEvent stored : page.events()) {
        EventRecord event = TaskContent.event(stored);
        if (event.getResourceObject().equals(RedactionStore.ARTIFACT)
            && event.getResourceId().equals(artifact)
            && kinds.contains(event.getEvent())) {
          found.add(stored.id());
        }
        after = Optional.of(stored.id());
      }
      more = page.cut() || page.events().size() == EVENTS_AT_ONCE;
    }
    return found;
  }
}
