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
 * Drops the events of a tenant that its retention keeps no longer: from the oldest of each stream
 * on, up to the first one of a task that has not ended, so that live work keeps its whole log. Runs
 * in small transactions; each leaves a log that is whole from its floors on, so that a crash
 * between two costs nothing. Several processes may run it at once.
 */
final class EventSweep {
  /** Bodies may be long, and a transaction reads and drops them within its time. */
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

  /** Drops what is kept no longer at {@code nowMillis}. Returns how many events that were. */
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
          // What follows is newer, or has to wait: each stream drops from its oldest event on.
          return dropped;
        }
      }
    }
    return dropped;
  }

  /** Returns what of it is kept no longer; {@code live} takes the streams that live work keeps. */
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
   * What is kept.
   *
   * @param oldestKept the oldest event of those that the count keeps; empty: no count
   * @param oldestMillis from when on the age keeps events
   */
  private record Bounds(Optional<EventId> oldestKept, long oldestMillis) {
    boolean keep(Row row) {
      boolean surplus = oldestKept.filter(kept -> row.id().compareTo(kept) < 0).isPresent();
      return !surplus && row.record().getCreatedAt() >= oldestMillis;
    }
  }

  /** An event of the log, and the stream that it lies in. */
  private record Row(EventId id, String stream, EventRecord record) {
    static Row of(StoredEvent stored) {
      try {
        return new Row(stored.id(), stored.stream(), EventRecord.parseFrom(stored.body()));
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException("the stored event " + stored.id() + " is damaged", e);
      }
    }
  }

  /** Some events, and which of their tasks have ended; what has ended stays so. */
  private record Found(List<Row> events, Map<String, Boolean> ended) {
    boolean ofLiveTask(EventRecord event) {
      return !event.getTaskId().isEmpty() && !ended.get(event.getTaskId());
    }
  }
}
