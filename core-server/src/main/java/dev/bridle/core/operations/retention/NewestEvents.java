package dev.bridle.core.operations.retention;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Finds the oldest of a tenant's newest events, reading backwards from the end of the log. The
 * result is a bound and not a count: whatever is appended or dropped meanwhile, no event before the
 * bound can become one of the newest. So several processes may compute and use bounds concurrently.
 */
final class NewestEvents {
  private static final int PAGE = 500;

  private final KeyValueStore store;
  private final EventLog log;

  NewestEvents(KeyValueStore store, EventLog log) {
    this.store = store;
    this.log = log;
  }

  /** Returns the oldest of the newest {@code count} events; empty if there are fewer. */
  Optional<EventId> oldestOf(String tenant, long count) {
    PriorityQueue<Part> parts =
        new PriorityQueue<>(Comparator.comparing(Part::newest, Comparator.reverseOrder()));
    for (int partition = 0; partition < log.partitions(); partition++) {
      Part part = new Part(tenant, partition);
      if (part.fill(Optional.empty())) {
        parts.add(part);
      }
    }
    Optional<EventId> oldest = Optional.empty();
    for (long passed = 0; passed < count; passed++) {
      Part next = parts.poll();
      if (next == null) {
        return Optional.empty();
      }
      EventId id = next.take();
      oldest = Optional.of(id);
      if (next.fill(oldest)) {
        parts.add(next);
      }
    }
    return oldest;
  }

  /** The events read from one partition, newest first. */
  private final class Part {
    private final String tenant;
    private final int partition;
    private final Deque<EventId> ids = new ArrayDeque<>();
    private boolean more = true;

    Part(String tenant, int partition) {
      this.tenant = tenant;
      this.partition = partition;
    }

    EventId newest() {
      return ids.getFirst();
    }

    EventId take() {
      return ids.removeFirst();
    }

    /** Reads the next page if the buffer is empty; returns whether there are more events. */
    boolean fill(Optional<EventId> before) {
      if (ids.isEmpty() && more) {
        ids.addAll(store.read(tr -> log.readFeedBackwards(tr, tenant, partition, before, PAGE)));
        more = ids.size() == PAGE;
      }
      return !ids.isEmpty();
    }
  }
}
