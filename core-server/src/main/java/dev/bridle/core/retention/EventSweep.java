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
  private static final int COUNT_PAGE = 2000;
  private static final int DROPPED_AT_ONCE = 100;

  private final KeyValueStore store;
  private final EventLog log;
  private final TaskStore tasks;

  EventSweep(KeyValueStore store, EventLog log, TaskStore tasks) {
    this.store = store;
    this.log = log;
    this.tasks = tasks;
  }

  /** Drops what is kept no longer at {@code nowMillis}. Returns how many events that were. */
  int sweep(String tenant, EventRetention retention, long nowMillis) {
    long surplus =
        retention.getMaxEvents() == 0 ? 0 : Math.max(0, count(tenant) - retention.getMaxEvents());
    long oldest =
        retention.getMaxAgeMillis() == 0 ? Long.MIN_VALUE : nowMillis - retention.getMaxAgeMillis();
    if (surplus == 0 && oldest == Long.MIN_VALUE) {
      return 0;
    }
    Set<String> live = new HashSet<>();
    Optional<EventId> after = Optional.empty();
    long passed = 0;
    int dropped = 0;
    boolean more = true;
    while (more) {
      Optional<EventId> from = after;
      Found found = store.read(tr -> read(tr, tenant, from));
      List<DroppedEvent> drop = new ArrayList<>();
      more = found.page().next().isPresent();
      for (FeedPage.Row row : found.page().events()) {
        if (passed >= surplus && row.record().getCreatedAt() >= oldest) {
          more = false; // All that follows is newer.
          break;
        }
        passed++;
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

  private long count(String tenant) {
    long count = 0;
    for (int partition = 0; partition < log.partitions(); partition++) {
      Optional<EventId> after = Optional.empty();
      boolean more = true;
      while (more) {
        int at = partition;
        Optional<EventId> from = after;
        var rows = store.read(tr -> log.readFeed(tr, tenant, at, from, COUNT_PAGE));
        count += rows.size();
        more = rows.size() == COUNT_PAGE;
        after = rows.isEmpty() ? after : Optional.of(rows.get(rows.size() - 1).id());
      }
    }
    return count;
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
