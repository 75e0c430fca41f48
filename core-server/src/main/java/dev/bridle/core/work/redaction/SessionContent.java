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

  private final CoreContext context;
  private final String tenant;
  private final RecordRows rows;
  private final Map<String, Map<String, LogPosition>> messages = new HashMap<>();

  SessionContent(CoreContext context, String tenant) {
    this.context = context;
    this.tenant = tenant;
    this.rows = new RecordRows(context.layout());
  }

  /** Returns the event of a message, whose position the message has; it may have been dropped. */
  Optional<EventId> eventOf(Message message) {
    String session = message.getSessionId();
    LogPosition place = messages.computeIfAbsent(session, this::places).get(message.getId());
    if (place == null) {
      return Optional.empty();
    }
    EventId event = EventId.at(place, context.log().partitionOf(session));
    return context.store().read(tr -> context.log().find(tr, tenant, event)).map(StoredEvent::id);
  }

  private Map<String, LogPosition> places(String session) {
    Map<String, LogPosition> places = new HashMap<>();
    Optional<LogPosition> after = Optional.empty();
    boolean more = true;
    while (more) {
      Optional<LogPosition> from = after;
      List<Row> page =
          context
              .store()
              .read(
                  tr ->
                      rows.page(
                          tr,
                          tenant,
                          MessageStore.MESSAGE.number(),
                          MessageStore.MESSAGES_BY_SESSION,
                          session,
                          from,
                          ROWS_AT_ONCE));
      page.forEach(row -> places.put(row.id(), row.place()));
      more = page.size() == ROWS_AT_ONCE;
      after = page.isEmpty() ? after : Optional.of(page.get(page.size() - 1).place());
    }
    return places;
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
