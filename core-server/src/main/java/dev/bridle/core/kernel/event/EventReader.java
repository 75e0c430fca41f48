package dev.bridle.core.kernel.event;

import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.EventPage;
import dev.bridle.storage.layer.FeedEntry;
import dev.bridle.storage.layer.StoredEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Reads events by task, by session, and across all partitions at one version. */
public final class EventReader {
  private final EventLog log;

  public EventReader(EventLog log) {
    this.log = log;
  }

  /**
   * A page of events, of about {@link EventLog#PAGE_BYTES} at most.
   *
   * @param events the events, in their order
   * @param cut whether the read stopped at the byte limit
   */
  public record Loaded(List<LoadedEvent> events, boolean cut) {}

  /** Returns up to {@code limit} events of a task from a sequence on. */
  public Loaded ofTask(ReadTransaction tr, String tenant, TaskRecord task, long from, int limit) {
    return load(
        tr,
        tenant,
        log.readTask(
            tr,
            tenant,
            task.getTask().getSessionId(),
            task.getTask().getId(),
            from,
            limit,
            EventLog.PAGE_BYTES));
  }

  /** Returns up to {@code limit} events of a session after a cursor. */
  public Loaded ofSession(
      ReadTransaction tr, String tenant, String session, Optional<EventId> after, int limit) {
    return load(tr, tenant, log.readStream(tr, tenant, session, after, limit, EventLog.PAGE_BYTES));
  }

  /**
   * Returns up to {@code limit} events of a tenant after a cursor, of all partitions in one order.
   */
  public Loaded ofTenant(ReadTransaction tr, String tenant, Optional<EventId> after, int limit) {
    return ofPartitions(
        tr, tenant, IntStream.range(0, log.partitions()).boxed().toList(), after, limit);
  }

  /**
   * Returns up to {@code limit} events of some partitions after a cursor, in one order. All are
   * read at the version of {@code tr}, so that nothing that commits meanwhile can be skipped.
   */
  Loaded ofPartitions(
      ReadTransaction tr,
      String tenant,
      Iterable<Integer> partitions,
      Optional<EventId> after,
      int limit) {
    List<FeedEntry> first = entries(tr, tenant, partitions, after, limit);
    return load(tr, tenant, log.readBodies(tr, tenant, first, EventLog.PAGE_BYTES));
  }

  private List<FeedEntry> entries(
      ReadTransaction tr,
      String tenant,
      Iterable<Integer> partitions,
      Optional<EventId> after,
      int limit) {
    List<FeedEntry> entries = new ArrayList<>();
    for (int partition : partitions) {
      entries.addAll(log.readFeed(tr, tenant, partition, after, limit));
    }
    entries.sort(Comparator.comparing(FeedEntry::id));
    return entries.subList(0, Math.min(limit, entries.size()));
  }

  /**
   * A batch of new events, for a tail.
   *
   * @param events the new events, without imported ones
   * @param cutAt where the read stopped at its limit; empty if it reached the end
   */
  public record NewEvents(List<LoadedEvent> events, Optional<EventId> cutAt) {}

  /** Returns up to {@code limit} new events of some partitions after a cursor. */
  public NewEvents newEvents(
      ReadTransaction tr, String tenant, Iterable<Integer> partitions, EventId after, int limit) {
    List<FeedEntry> first = entries(tr, tenant, partitions, Optional.of(after), limit);
    List<FeedEntry> notImported = first.stream().filter(entry -> !entry.imported()).toList();
    return new NewEvents(
        load(tr, tenant, log.readBodies(tr, tenant, notImported)),
        first.size() < limit ? Optional.empty() : Optional.of(first.get(limit - 1).id()));
  }

  /** Returns an event by its id. */
  public Optional<LoadedEvent> find(ReadTransaction tr, String tenant, EventId id) {
    return log.find(tr, tenant, id).map(stored -> load(tr, tenant, stored));
  }

  /**
   * Returns how many of a task's events a cursor has passed: the sequence to continue reading from.
   */
  public long sequenceAfter(ReadTransaction tr, String tenant, TaskRecord task, EventId cursor) {
    long low = 0;
    long high = task.getNextSequence();
    while (low < high) {
      long middle = (low + high) >>> 1;
      boolean passed =
          log.taskEventId(tr, tenant, task.getTask().getId(), middle)
              .map(id -> id.compareTo(cursor) <= 0)
              .orElse(true);
      if (passed) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Loaded load(ReadTransaction tr, String tenant, EventPage page) {
    return new Loaded(load(tr, tenant, page.events()), page.cut());
  }

  /** A task's events follow one another in most lists, so that few predecessors are looked up. */
  private List<LoadedEvent> load(ReadTransaction tr, String tenant, List<StoredEvent> stored) {
    List<LoadedEvent> loaded = new ArrayList<>(stored.size());
    Map<String, LoadedEvent> lastOfTask = new HashMap<>();
    for (StoredEvent event : stored) {
      EventRecord record = EventRecords.parse(event);
      Optional<EventId> before =
          Optional.ofNullable(lastOfTask.get(record.getTaskId()))
              .filter(last -> last.record().getSequence() == record.getSequence() - 1)
              .map(LoadedEvent::id);
      LoadedEvent read =
          loaded(event, record, before.isPresent() ? before : previous(tr, tenant, event, record));
      loaded.add(read);
      if (!record.getTaskId().isEmpty()) {
        lastOfTask.put(record.getTaskId(), read);
      }
    }
    return loaded;
  }

  private LoadedEvent load(ReadTransaction tr, String tenant, StoredEvent stored) {
    EventRecord record = EventRecords.parse(stored);
    return loaded(stored, record, previous(tr, tenant, stored, record));
  }

  private Optional<EventId> previous(
      ReadTransaction tr, String tenant, StoredEvent stored, EventRecord record) {
    if (record.getTaskId().isEmpty()) {
      return log.previousInStream(tr, tenant, stored.stream(), stored.id());
    }
    return record.getSequence() == 0
        ? Optional.empty()
        : log.taskEventId(tr, tenant, record.getTaskId(), record.getSequence() - 1);
  }

  private static LoadedEvent loaded(
      StoredEvent stored, EventRecord record, Optional<EventId> previous) {
    return LoadedEvent.of(
        stored.id(), stored.stream(), record, EventRecords.toEvent(stored.id(), record, previous));
  }
}
