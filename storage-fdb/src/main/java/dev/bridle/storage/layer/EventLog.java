package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * The append-only event log. Each body is stored once, under its stream; {@link EventKeys} defines
 * the rows.
 *
 * <p>Readers pass a snapshot, since reads with conflicts would conflict with every append.
 */
public final class EventLog {
  /** Partitions of a new installation's feed. The number is stored and never changes. */
  public static final int DEFAULT_PARTITIONS = 16;

  /** About how many bytes of events are read at once for waiting readers. */
  public static final long PAGE_BYTES = 2L << 20;

  private final EventKeys keys;
  private final int partitions;
  private final WakeKeys wakes;
  private final LargeValue values;

  private EventLog(KeyLayout layout, int partitions) {
    this.keys = new EventKeys(layout);
    this.partitions = partitions;
    this.wakes = new WakeKeys(layout);
    this.values = new LargeValue(layout);
  }

  /** Opens the log of an installation; a new one gets its number of partitions. */
  public static EventLog open(KeyValueStore store, KeyLayout layout) {
    byte[] key = new EventKeys(layout).partitionsKey();
    int partitions =
        store.transact(
            tr ->
                tr.get(key)
                    .map(value -> (int) Tuple.fromBytes(value).getLong(0))
                    .orElseGet(
                        () -> {
                          tr.set(key, Tuple.from(DEFAULT_PARTITIONS).pack());
                          return DEFAULT_PARTITIONS;
                        }));
    return new EventLog(layout, partitions);
  }

  /** Returns the number of partitions of the feed. */
  public int partitions() {
    return partitions;
  }

  /** Returns the partition of a stream. */
  public int partitionOf(String stream) {
    return EventPartitions.of(stream, partitions);
  }

  /**
   * Begins to append in a transaction.
   *
   * @throws ClosedLogException if the tenant's log is closed
   */
  public EventAppender appender(Transaction tr, String tenant) {
    long era = storedEra(tr, tenant);
    if (era < 0) {
      throw new ClosedLogException();
    }
    return new EventAppender(keys, values, tr, tenant, partitions, wakes, (int) era);
  }

  /** Returns the tenant's era; reads with a conflict where {@code tr} is no snapshot. */
  public int era(ReadTransaction tr, String tenant) {
    long era = storedEra(tr, tenant);
    return (int) (era < 0 ? -1 - era : era);
  }

  /** Returns the tenant's era; empty if its log is closed. */
  public OptionalInt openEra(ReadTransaction tr, String tenant) {
    long era = storedEra(tr, tenant);
    return era < 0 ? OptionalInt.empty() : OptionalInt.of((int) era);
  }

  /** Returns whether the tenant's log is closed: its tenant is deleted. */
  public boolean isClosed(ReadTransaction tr, String tenant) {
    return storedEra(tr, tenant) < 0;
  }

  /** Closes the tenant's log: nothing that commits from now on appends to it. */
  public void close(Transaction tr, String tenant) {
    if (!isClosed(tr, tenant)) {
      setEra(tr, tenant, -1L - era(tr, tenant));
    }
  }

  /**
   * Opens a closed log again for a new tenant of the same name, in a new era, so that it never
   * repeats event ids of the old tenant. Does nothing if the log is open.
   */
  public void reopen(Transaction tr, String tenant) {
    if (isClosed(tr, tenant)) {
      setEra(tr, tenant, checkedEra(era(tr, tenant) + 1));
    }
  }

  private long storedEra(ReadTransaction tr, String tenant) {
    return tr.get(keys.eraKey(tenant)).map(value -> Tuple.fromBytes(value).getLong(0)).orElse(0L);
  }

  private void setEra(Transaction tr, String tenant, long era) {
    tr.set(keys.eraKey(tenant), Tuple.from(era).pack());
  }

  private static int checkedEra(int era) {
    if (era > 0xffff) {
      throw new IllegalArgumentException("era " + era + " is above 65,535");
    }
    return era;
  }

  /**
   * Raises the tenant's era to at least {@code era}. Later commits sort after all existing events.
   */
  public void raiseEra(Transaction tr, String tenant, int era) {
    checkedEra(era);
    if (era > era(tr, tenant)) {
      setEra(tr, tenant, era);
    }
  }

  /** Takes the next sequence of a resource that is no task. Reads and writes with a conflict. */
  public long takeSequence(Transaction tr, String tenant, String object, String id) {
    byte[] key = keys.sequenceKey(tenant, object, id);
    long next = tr.get(key).map(value -> ByteBuffer.wrap(value).getLong()).orElse(0L);
    tr.set(key, ByteBuffer.allocate(Long.BYTES).putLong(next + 1).array());
    return next;
  }

  /** Returns up to {@code limit} events of a stream after {@code after}, oldest first. */
  public List<StoredEvent> readStream(
      ReadTransaction tr, String tenant, String stream, Optional<EventId> after, int limit) {
    return readStream(tr, tenant, stream, after, limit, Long.MAX_VALUE).events();
  }

  /**
   * Returns up to {@code limit} events of a stream after {@code after}, oldest first, and ends once
   * they have {@code maxBytes}.
   */
  public EventPage readStream(
      ReadTransaction tr,
      String tenant,
      String stream,
      Optional<EventId> after,
      int limit,
      long maxBytes) {
    ByteBudget budget = new ByteBudget(maxBytes);
    int partition = partitionOf(stream);
    List<StoredEvent> events = new ArrayList<>();
    KeyRange range = keys.bodyRangeAfter(tenant, stream, after);
    boolean more = true;
    while (more && events.size() < limit && !budget.isSpent()) {
      int wanted = budget.next(limit - events.size());
      List<KeyValue> rows = tr.getRange(range, wanted);
      for (KeyValue row : rows) {
        EventKeys.BodyKey key = keys.parseBodyKey(row.key(), partition);
        if (!key.chunk()) { // A chunk is read with the event that it belongs to.
          if (budget.isSpent()) {
            return new EventPage(events, true);
          }
          byte[] body = values.join(tr, row.key(), row.value());
          events.add(new StoredEvent(key.id(), stream, body));
          budget.take(body.length);
        }
      }
      more = rows.size() == wanted;
      if (more) {
        range = new KeyRange(KeyRange.after(rows.get(wanted - 1).key()), range.end());
      }
    }
    return new EventPage(events, more && events.size() < limit);
  }

  /** Returns the id of the event before another one of its stream; empty for the oldest one. */
  public Optional<EventId> previousInStream(
      ReadTransaction tr, String tenant, String stream, EventId id) {
    KeyRange before = keys.bodyRangeBefore(tenant, stream, id);
    return tr.getRange(before, 1, true).stream()
        .findFirst()
        .map(row -> keys.parseBodyKey(row.key(), partitionOf(stream)).id());
  }

  /**
   * Returns up to {@code limit} events of a task from a sequence on.
   *
   * @param stream the stream of the task's events: its session
   */
  public List<StoredEvent> readTask(
      ReadTransaction tr, String tenant, String stream, String task, long from, int limit) {
    return readTask(tr, tenant, stream, task, from, limit, Long.MAX_VALUE).events();
  }

  /**
   * Returns up to {@code limit} events of a task from a sequence on, and ends once they have {@code
   * maxBytes}.
   */
  public EventPage readTask(
      ReadTransaction tr,
      String tenant,
      String stream,
      String task,
      long from,
      int limit,
      long maxBytes) {
    List<FeedEntry> entries = new ArrayList<>();
    tr.getRange(keys.taskEventRange(tenant, task, from), limit)
        .forEach(row -> entries.add(new FeedEntry(EventId.fromBytes(row.value()), stream)));
    return readBodies(tr, tenant, entries, maxBytes);
  }

  /** Returns the id of a task's event by its sequence. */
  public Optional<EventId> taskEventId(
      ReadTransaction tr, String tenant, String task, long sequence) {
    return tr.get(keys.taskEventKey(tenant, task, sequence)).map(EventId::fromBytes);
  }

  /**
   * Returns up to {@code limit} entries of a partition's feed after {@code after}, oldest first,
   * without bodies.
   */
  public List<FeedEntry> readFeed(
      ReadTransaction tr, String tenant, int partition, Optional<EventId> after, int limit) {
    List<FeedEntry> entries = new ArrayList<>();
    for (KeyValue row : tr.getRange(keys.feedRangeAfter(tenant, partition, after), limit)) {
      Tuple value = Tuple.fromBytes(row.value());
      entries.add(
          new FeedEntry(keys.parseFeedKey(row.key()), value.getString(0), value.size() > 1));
    }
    return entries;
  }

  /**
   * Returns the ids of up to {@code limit} events of a partition that come before {@code before},
   * newest first.
   */
  public List<EventId> readFeedBackwards(
      ReadTransaction tr, String tenant, int partition, Optional<EventId> before, int limit) {
    return tr.getRange(keys.feedRangeBefore(tenant, partition, before), limit, true).stream()
        .map(row -> keys.parseFeedKey(row.key()))
        .toList();
  }

  /**
   * Returns the events of feed entries, in their order. Entries whose bodies retention has dropped
   * are left out.
   */
  public List<StoredEvent> readBodies(ReadTransaction tr, String tenant, List<FeedEntry> entries) {
    return together(tr, tenant, entries);
  }

  /**
   * Returns the events of feed entries, in their order, and ends once they have {@code maxBytes}.
   * Entries whose bodies retention has dropped are left out.
   */
  public EventPage readBodies(
      ReadTransaction tr, String tenant, List<FeedEntry> entries, long maxBytes) {
    ByteBudget budget = new ByteBudget(maxBytes);
    List<StoredEvent> events = new ArrayList<>(entries.size());
    int at = 0;
    while (at < entries.size()) {
      int end = at + budget.next(entries.size() - at);
      for (StoredEvent event : together(tr, tenant, entries.subList(at, end))) {
        if (budget.isSpent()) {
          return new EventPage(events, true);
        }
        events.add(event);
        budget.take(event.body().length);
      }
      at = end;
    }
    return new EventPage(events, !events.isEmpty() && events.size() < entries.size());
  }

  private List<StoredEvent> together(ReadTransaction tr, String tenant, List<FeedEntry> entries) {
    List<CompletableFuture<Optional<byte[]>>> bodies = new ArrayList<>(entries.size());
    for (FeedEntry entry : entries) {
      bodies.add(values.getAsync(tr, keys.bodyKey(tenant, entry.stream(), entry.id())));
    }
    List<StoredEvent> events = new ArrayList<>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      FeedEntry entry = entries.get(i);
      bodies
          .get(i)
          .join()
          .ifPresent(body -> events.add(new StoredEvent(entry.id(), entry.stream(), body)));
    }
    return events;
  }

  /** Returns an event by its id. */
  public Optional<StoredEvent> find(ReadTransaction tr, String tenant, EventId id) {
    if (id.partition() >= partitions) {
      return Optional.empty();
    }
    return tr.get(keys.feedKey(tenant, id))
        .map(stream -> new FeedEntry(id, Tuple.fromBytes(stream).getString(0)))
        .flatMap(entry -> readBodies(tr, tenant, List.of(entry)).stream().findFirst());
  }

  /** Replaces the body of an event, whose content is redacted. Its id and its place stay. */
  public void replace(Transaction tr, String tenant, StoredEvent before, byte[] body) {
    byte[] key = keys.bodyKey(tenant, before.stream(), before.id());
    values.set(tr, key, body, LargeValue.furtherChunks(before.body().length));
  }

  /** Returns the id of a stream's newest event. */
  public Optional<EventId> lastEventId(ReadTransaction tr, String tenant, String stream) {
    return tr.get(keys.lastEventKey(tenant, stream)).map(EventId::fromBytes);
  }

  /**
   * Returns the floor of a stream: an id right after its newest event that retention has dropped.
   * Cursors before it have expired. Empty if none was dropped.
   */
  public Optional<EventId> floor(ReadTransaction tr, String tenant, String stream) {
    return floorAt(tr, tenant, stream);
  }

  /**
   * Returns the tenant's floor, for global reads and streams: the newest floor of all its streams.
   */
  public Optional<EventId> floor(ReadTransaction tr, String tenant) {
    return floorAt(tr, tenant, EventKeys.WHOLE_TENANT);
  }

  /**
   * Deletes events, and raises the floors of their streams and of the tenant. Callers must drop a
   * stream's events from the oldest on, without gaps. Idempotent.
   */
  public void drop(Transaction tr, String tenant, List<DroppedEvent> events) {
    for (DroppedEvent event : events) {
      values.clear(tr, keys.bodyKey(tenant, event.stream(), event.id()));
      tr.clear(keys.feedKey(tenant, event.id()));
      if (!event.task().isEmpty()) {
        tr.clear(keys.taskEventKey(tenant, event.task(), event.sequence()));
      }
      raiseFloor(tr, tenant, event.stream(), event.id().justAfter());
      raiseFloor(tr, tenant, EventKeys.WHOLE_TENANT, event.id().justAfter());
    }
  }

  private void raiseFloor(Transaction tr, String tenant, String stream, EventId floor) {
    Optional<EventId> before = floorAt(tr, tenant, stream);
    if (before.isEmpty() || before.get().compareTo(floor) < 0) {
      tr.set(keys.floorKey(tenant, stream), floor.toBytes());
    }
  }

  /** Returns whether this log may have issued an id, as of the read version of {@code tr}. */
  public boolean mayExist(ReadTransaction tr, String tenant, EventId id) {
    int era = era(tr, tenant);
    return id.partition() < partitions
        && (id.era() < era || (id.era() == era && id.commitVersion() <= tr.readVersion()));
  }

  private Optional<EventId> floorAt(ReadTransaction tr, String tenant, String stream) {
    return tr.get(keys.floorKey(tenant, stream)).map(EventId::fromBytes);
  }
}
