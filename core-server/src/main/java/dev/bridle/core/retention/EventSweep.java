package dev.bridle.core.retention;

import dev.bridle.core.task.TaskLifecycle;
import dev.bridle.core.task.TaskStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.EventRetention;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DroppedEvent;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
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
  private static final int DROPPED_AT_ONCE = 100;

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
    Set<String> live = new HashSet<>();
    Optional<EventId> after = Optional.empty();
    int dropped = 0;
    boolean more = true;
    while (more) {
      Optional<EventId> from = after;
      Found found = store.read(tr -> read(tr, tenant, from));
      List<DroppedEvent> drop = new ArrayList<>();
      more = found.page().next().isPresent();
      for (FeedPage.Row row : found.page().events()) {
        boolean surplus = oldestKept.filter(kept -> row.id().compareTo(kept) < 0).isPresent();
        if (!surplus && row.record().getCreatedAt() >= oldest) {
          more = false; // All that follows is newer.
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
      dropAll(tenant, drop);
      dropped += drop.size();
      after = found.page().next();
    }
    return dropped;
  }

  private void dropAll(String tenant, List<DroppedEvent> events) {
    for (int at = 0; at < events.size(); at += DROPPED_AT_ONCE) {
      List<DroppedEvent> some = events.subList(at, Math.min(events.size(), at + DROPPED_AT_ONCE));
      store.transact(
          tr -> {
            log.drop(tr, tenant, some);
            return true;
          });
    }
  }

  private Found read(ReadTransaction tr, String tenant, Optional<EventId> after) {
    FeedPage page = FeedPage.read(tr, log, tenant, after);
    Map<String, Boolean> ended = new HashMap<>();
    for (FeedPage.Row row : page.events()) {
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
    return new Found(page, Map.copyOf(ended));
  }

  /** A page, and which of its tasks have ended; what has ended stays so. */
  private record Found(FeedPage page, Map<String, Boolean> ended) {
    boolean ofLiveTask(EventRecord event) {
      return !event.getTaskId().isEmpty() && !ended.get(event.getTaskId());
    }
  }
}
