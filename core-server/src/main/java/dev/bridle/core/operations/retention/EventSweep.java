package dev.bridle.core.operations.retention;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.EventRetention;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DroppedEvent;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.FeedEntry;
import dev.bridle.storage.layer.StoredEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Drops a tenant's events beyond its retention: from the oldest of each stream, up to the first one
 * of a task that has not ended, so that live tasks keep their whole log. Runs in small
 * transactions, each of which leaves a log that is complete from its floors on, so a crash between
 * two is harmless. Several processes may run it concurrently.
 */
final class EventSweep {
  /** Small enough that a transaction can read and drop the largest bodies within its time limit. */
  private static final int LOOKED_AT_ONCE = 64;

  private final KeyValueStore store;
  private final EventLog log;
  private final TaskStore tasks;
  private final NewestEvents newest;

  EventSweep(KeyValueStore store, EventLog log, TaskStore tasks) {
    this.store = store;
    this.log = log;
    this.tasks = tasks;
    this.newest = new NewestEvents(store, log);
  }

  /** Drops the events that are beyond retention at {@code nowMillis}. Returns their number. */
  int sweep(String tenant, EventRetention retention, long nowMillis) {
    Optional<EventId> oldestKept =
        retention.getMaxEvents() == 0
            ? Optional.empty()
            : newest.oldestOf(tenant, retention.getMaxEvents());
    long oldest =
        retention.getMaxAgeMillis() == 0 ? Long.MIN_VALUE : nowMillis - retention.getMaxAgeMillis();
    if (oldestKept.isEmpty() && oldest == Long.MIN_VALUE) {
      return 0;
    }
    Bounds bounds = new Bounds(oldestKept, oldest);
    Set<String> live = new HashSet<>();
    Optional<EventId> after = Optional.empty();
    int dropped = 0;
    boolean more = true;
    while (more) {
      Optional<EventId> from = after;
      FeedPage page = store.read(tr -> FeedPage.read(tr, log, tenant, from));
      after = page.next();
      more = after.isPresent();
      List<FeedEntry> entries = page.entries();
      for (int at = 0; at < entries.size(); at += LOOKED_AT_ONCE) {
        List<FeedEntry> some = entries.subList(at, Math.min(entries.size(), at + LOOKED_AT_ONCE));
        Found found = store.read(tr -> look(tr, tenant, some));
        List<DroppedEvent> drop = toDrop(found, bounds, live);
        drop(tenant, drop);
        dropped += drop.size();
        if (found.events().stream().anyMatch(event -> bounds.keep(event))) {
          // Later events are newer or must be kept: each stream drops from its oldest event on.
          return dropped;
        }
      }
    }
    return dropped;
  }

  /** Returns the events to drop; adds the streams that live tasks keep to {@code live}. */
  private static List<DroppedEvent> toDrop(Found found, Bounds bounds, Set<String> live) {
    List<DroppedEvent> drop = new ArrayList<>();
    for (Row row : found.events()) {
      if (bounds.keep(row)) {
        break;
      }
      if (live.contains(row.stream()) || found.ofLiveTask(row.record())) {
        live.add(row.stream());
      } else {
        drop.add(
            new DroppedEvent(
                row.id(), row.stream(), row.record().getTaskId(), row.record().getSequence()));
      }
    }
    return drop;
  }

  private void drop(String tenant, List<DroppedEvent> events) {
    if (!events.isEmpty()) {
      store.transact(
          tr -> {
            log.drop(tr, tenant, events);
            return true;
          });
    }
  }

  private Found look(ReadTransaction tr, String tenant, List<FeedEntry> entries) {
    List<Row> events = log.readBodies(tr, tenant, entries).stream().map(Row::of).toList();
    Map<String, Boolean> ended = new HashMap<>();
    for (Row row : events) {
      String task = row.record().getTaskId();
      if (!task.isEmpty()) {
        ended.computeIfAbsent(
            task,
            id ->
                tasks
                    .find(tr, tenant, id)
                    .map(record -> TaskLifecycle.terminal(record.getTask().getStatus()))
                    .orElse(true));
      }
    }
    return new Found(events, Map.copyOf(ended));
  }

  /**
   * The bounds of retention.
   *
   * @param oldestKept the oldest event within the maximum count; empty without such a limit
   * @param oldestMillis the time from which on events are within the maximum age, in Unix
   *     milliseconds
   */
  private record Bounds(Optional<EventId> oldestKept, long oldestMillis) {
    boolean keep(Row row) {
      boolean surplus = oldestKept.filter(kept -> row.id().compareTo(kept) < 0).isPresent();
      return !surplus && row.record().getCreatedAt() >= oldestMillis;
    }
  }

  /** An event of the log with its stream. */
  private record Row(EventId id, String stream, EventRecord record) {
    static Row of(StoredEvent stored) {
      try {
        return new Row(stored.id(), stored.stream(), EventRecord.parseFrom(stored.body()));
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException("the stored event " + stored.id() + " is damaged", e);
      }
    }
  }

  /** Some events, and which of their tasks have ended. Ended tasks stay ended. */
  private record Found(List<Row> events, Map<String, Boolean> ended) {
    boolean ofLiveTask(EventRecord event) {
      return !event.getTaskId().isEmpty() && !ended.get(event.getTaskId());
    }
  }
}
