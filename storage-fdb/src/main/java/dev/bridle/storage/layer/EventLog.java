package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The append-only event log. Bodies lie once, under their stream:
 *
 * <pre>
 * tenant / EVENT / stream, era, stamp        → body
 * tenant / TASK_EVENT / task, sequence       → event id
 * tenant / FEED / partition, era, stamp      → stream
 * tenant / LAST_EVENT / stream               → id of its newest event
 * tenant / FLOOR / stream or ""              → id right after the newest dropped event
 * tenant / SEQUENCE / resource kind, id      → next sequence
 * </pre>
 *
 * <p>Readers pass a snapshot: stamped keys conflict with every append.
 */
public final class EventLog {
  /** Partitions of a new installation's feed. The number is stored and never changes. */
  public static final int DEFAULT_PARTITIONS = 16;

  /** About as many bytes of events are read at once where readers wait for them. */
  public static final long PAGE_BYTES = 2L << 20;

  private static final String WHOLE_TENANT = "";

  private final KeyLayout layout;
  private final int partitions;
  private final WakeKeys wakes;
  private final LargeValue values;

  private EventLog(KeyLayout layout, int partitions) {
    this.layout = layout;
    this.partitions = partitions;
    this.wakes = new WakeKeys(layout);
    this.values = new LargeValue(layout);
  }

  /** Opens the log of an installation; a new one gets its number of partitions. */
  public static EventLog open(KeyValueStore store, KeyLayout layout) {
    byte[] key = layout.key(layout.system(SystemSpace.PARTITIONS));
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

  /** Returns the partition that a stream lies in. */
  public int partitionOf(String stream) {
    return EventPartitions.of(stream, partitions);
  }

  /**
   * Begins to append in a transaction.
   *
   * @throws ClosedLogException where the tenant's log is closed
   */
  public EventAppender appender(Transaction tr, String tenant) {
    long era = storedEra(tr, tenant);
    if (era < 0) {
      throw new ClosedLogException();
    }
    return new EventAppender(layout, tr, tenant, partitions, wakes, (int) era);
  }

  /** Returns the tenant's era; reads with a conflict where {@code tr} is no snapshot. */
  public int era(ReadTransaction tr, String tenant) {
    long era = storedEra(tr, tenant);
    return (int) (era < 0 ? -1 - era : era);
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
   * Opens a closed log again for a new tenant of the same name, in a new era, so that its ids are
   * none that the one before it gave. Does nothing where the log is open.
   */
  public void reopen(Transaction tr, String tenant) {
    if (isClosed(tr, tenant)) {
      setEra(tr, tenant, checkedEra(era(tr, tenant) + 1));
    }
  }

  private long storedEra(ReadTransaction tr, String tenant) {
    return tr.get(layout.key(layout.tenant(tenant, TenantSpace.ERA)))
        .map(value -> Tuple.fromBytes(value).getLong(0))
        .orElse(0L);
  }

  private void setEra(Transaction tr, String tenant, long era) {
    tr.set(layout.key(layout.tenant(tenant, TenantSpace.ERA)), Tuple.from(era).pack());
  }

  private static int checkedEra(int era) {
    if (era > 0xffff) {
      throw new IllegalArgumentException("era " + era + " is above 65,535");
    }
    return era;
  }

  /**
   * Raises the tenant's era to at least {@code era}. What commits from then on sorts after all that
   * is there.
   */
  public void raiseEra(Transaction tr, String tenant, int era) {
    checkedEra(era);
    if (era > era(tr, tenant)) {
      setEra(tr, tenant, era);
    }
  }

  /** Takes the next sequence of a resource that is no task. Reads and writes with a conflict. */
  public long takeSequence(Transaction tr, String tenant, String object, String id) {
    byte[] key = layout.key(layout.tenant(tenant, TenantSpace.SEQUENCE).add(object).add(id));
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
    Tuple parent = layout.tenant(tenant, TenantSpace.EVENT).add(stream);
    int partition = partitionOf(stream);
    List<StoredEvent> events = new ArrayList<>();
    KeyRange range = rangeAfter(parent, after);
    boolean more = true;
    while (more && events.size() < limit && !budget.isSpent()) {
      int wanted = budget.next(limit - events.size());
      List<KeyValue> rows = tr.getRange(range, wanted);
      for (KeyValue row : rows) {
        Tuple key = layout.unpack(row.key());
        boolean chunk = key.size() > parent.size() + 2; // Read with the event that it belongs to.
        if (!chunk) {
          if (budget.isSpent()) {
            return new EventPage(events, true);
          }
          EventId id = idAt(key, parent.size(), partition);
          byte[] body = values.join(tr, key, row.value());
          events.add(new StoredEvent(id, stream, body));
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
    Tuple parent = layout.tenant(tenant, TenantSpace.EVENT).add(stream);
    byte[] end = layout.key(parent.add(id.era()).add(id.stamp()));
    KeyRange before = new KeyRange(layout.children(parent).begin(), end);
    return tr.getRange(before, 1, true).stream()
        .findFirst()
        .map(row -> idAt(layout.unpack(row.key()), parent.size(), partitionOf(stream)));
  }

  /**
   * Returns up to {@code limit} events of a task from a sequence on.
   *
   * @param stream the stream that the task's events lie in: its session
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
    Tuple parent = layout.tenant(tenant, TenantSpace.TASK_EVENT).add(task);
    KeyRange all = layout.children(parent);
    KeyRange range = new KeyRange(layout.key(parent.add(from)), all.end());
    List<FeedEntry> entries = new ArrayList<>();
    tr.getRange(range, limit)
        .forEach(row -> entries.add(new FeedEntry(EventId.fromBytes(row.value()), stream)));
    return readBodies(tr, tenant, entries, maxBytes);
  }

  /** Returns the id of a task's event by its sequence. */
  public Optional<EventId> taskEventId(
      ReadTransaction tr, String tenant, String task, long sequence) {
    return tr.get(layout.key(layout.tenant(tenant, TenantSpace.TASK_EVENT).add(task).add(sequence)))
        .map(EventId::fromBytes);
  }

  /**
   * Returns up to {@code limit} entries of a partition's feed after {@code after}, oldest first,
   * without bodies.
   */
  public List<FeedEntry> readFeed(
      ReadTransaction tr, String tenant, int partition, Optional<EventId> after, int limit) {
    Tuple parent = layout.tenant(tenant, TenantSpace.FEED).add(partition);
    List<FeedEntry> entries = new ArrayList<>();
    for (KeyValue row : tr.getRange(rangeAfter(parent, after), limit)) {
      Tuple value = Tuple.fromBytes(row.value());
      entries.add(
          new FeedEntry(
              idAt(layout.unpack(row.key()), parent.size(), partition),
              value.getString(0),
              value.size() > 1));
    }
    return entries;
  }

  /**
   * Returns the ids of up to {@code limit} events of a partition that come before {@code before},
   * newest first.
   */
  public List<EventId> readFeedBackwards(
      ReadTransaction tr, String tenant, int partition, Optional<EventId> before, int limit) {
    Tuple parent = layout.tenant(tenant, TenantSpace.FEED).add(partition);
    KeyRange all = layout.children(parent);
    byte[] end =
        before.map(id -> layout.key(parent.add(id.era()).add(id.stamp()))).orElse(all.end());
    return tr.getRange(new KeyRange(all.begin(), end), limit, true).stream()
        .map(row -> idAt(layout.unpack(row.key()), parent.size(), partition))
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
    return new EventPage(events, false);
  }

  private List<StoredEvent> together(ReadTransaction tr, String tenant, List<FeedEntry> entries) {
    List<CompletableFuture<Optional<byte[]>>> bodies = new ArrayList<>(entries.size());
    for (FeedEntry entry : entries) {
      bodies.add(values.getAsync(tr, bodyKey(tenant, entry.stream(), entry.id())));
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
    Tuple feed = layout.tenant(tenant, TenantSpace.FEED).add(id.partition());
    return tr.get(layout.key(feed.add(id.era()).add(id.stamp())))
        .map(stream -> new FeedEntry(id, Tuple.fromBytes(stream).getString(0)))
        .flatMap(entry -> readBodies(tr, tenant, List.of(entry)).stream().findFirst());
  }

  /** Returns the id of a stream's newest event. */
  public Optional<EventId> lastEventId(ReadTransaction tr, String tenant, String stream) {
    return tr.get(layout.key(layout.tenant(tenant, TenantSpace.LAST_EVENT).add(stream)))
        .map(EventId::fromBytes);
  }

  /**
   * Returns what sorts right after the newest event of a stream that retention has dropped, and
   * before its oldest retained one: cursors before it have expired. Empty where none was dropped.
   */
  public Optional<EventId> floor(ReadTransaction tr, String tenant, String stream) {
    return floorAt(tr, tenant, stream);
  }

  /**
   * Returns the tenant's floor, which global reads and streams obey: that of the stream that has
   * lost the newest event.
   */
  public Optional<EventId> floor(ReadTransaction tr, String tenant) {
    return floorAt(tr, tenant, WHOLE_TENANT);
  }

  /**
   * Drops events, for good, and raises the floors of their streams and of the tenant. Whoever calls
   * it drops a stream from its oldest event on, and leaves none out. Dropping an event again
   * changes nothing.
   */
  public void drop(Transaction tr, String tenant, List<DroppedEvent> events) {
    for (DroppedEvent event : events) {
      values.clear(tr, bodyKey(tenant, event.stream(), event.id()));
      Tuple feed = layout.tenant(tenant, TenantSpace.FEED).add(event.id().partition());
      tr.clear(layout.key(feed.add(event.id().era()).add(event.id().stamp())));
      if (!event.task().isEmpty()) {
        Tuple pointer = layout.tenant(tenant, TenantSpace.TASK_EVENT).add(event.task());
        tr.clear(layout.key(pointer.add(event.sequence())));
      }
      raiseFloor(tr, tenant, event.stream(), event.id().justAfter());
      raiseFloor(tr, tenant, WHOLE_TENANT, event.id().justAfter());
    }
  }

  private void raiseFloor(Transaction tr, String tenant, String stream, EventId floor) {
    Optional<EventId> before = floorAt(tr, tenant, stream);
    if (before.isEmpty() || before.get().compareTo(floor) < 0) {
      tr.set(layout.key(layout.tenant(tenant, TenantSpace.FLOOR).add(stream)), floor.toBytes());
    }
  }

  /**
   * Returns whether an id may have been given by this log, as of the version that {@code tr} reads
   * at.
   */
  public boolean mayExist(ReadTransaction tr, String tenant, EventId id) {
    int era = era(tr, tenant);
    return id.partition() < partitions
        && (id.era() < era || (id.era() == era && id.commitVersion() <= tr.readVersion()));
  }

  private Optional<EventId> floorAt(ReadTransaction tr, String tenant, String stream) {
    return tr.get(layout.key(layout.tenant(tenant, TenantSpace.FLOOR).add(stream)))
        .map(EventId::fromBytes);
  }

  private KeyRange rangeAfter(Tuple parent, Optional<EventId> after) {
    return after
        .map(id -> layout.childrenAfter(parent, parent.add(id.era()).add(id.stamp())))
        .orElseGet(() -> layout.children(parent));
  }

  private Tuple bodyKey(String tenant, String stream, EventId id) {
    return layout.tenant(tenant, TenantSpace.EVENT).add(stream).add(id.era()).add(id.stamp());
  }

  private static EventId idAt(Tuple key, int at, int partition) {
    Versionstamp stamp = key.getVersionstamp(at + 1);
    return EventId.of((int) key.getLong(at), stamp, partition);
  }
}
