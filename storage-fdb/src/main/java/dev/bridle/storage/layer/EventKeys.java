package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.KeyRange;
import java.util.Optional;

/**
 * Builds and parses the keys of {@link EventLog}:
 *
 * <pre>
 * PARTITIONS                                 → number of partitions
 * tenant / ERA                               → era
 * tenant / EVENT / stream, era, stamp        → body
 * tenant / EVENT / stream, era, stamp, chunk → rest of a large body
 * tenant / TASK_EVENT / task, sequence       → event id
 * tenant / FEED / partition, era, stamp      → stream
 * tenant / LAST_EVENT / stream               → id of its newest event
 * tenant / FLOOR / stream or ""              → id right after the newest dropped event
 * tenant / SEQUENCE / resource kind, id      → next sequence
 * </pre>
 *
 * <p>Rows with an era and a stamp sort like the ids of their events.
 */
public final class EventKeys {
  /** The stream under which {@code FLOOR} holds the floor of the whole tenant. */
  public static final String WHOLE_TENANT = "";

  /** Items of a tenant's key before those that its subspace adds. */
  private static final int FIRST = 3;

  private final KeyLayout layout;

  public EventKeys(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns the key of the number of partitions. */
  public byte[] partitionsKey() {
    return layout.key(layout.system(SystemSpace.PARTITIONS));
  }

  /** Returns the key of a tenant's era. */
  public byte[] eraKey(String tenant) {
    return layout.key(layout.tenant(tenant, TenantSpace.ERA));
  }

  /** Returns the key of an event's body. */
  public byte[] bodyKey(String tenant, String stream, EventId id) {
    return layout.key(at(bodies(tenant, stream), id));
  }

  /** Returns the key of a new event's body, as a tuple that lacks its commit stamp. */
  Tuple pendingBodyTuple(String tenant, String stream, PendingEventId id) {
    return at(bodies(tenant, stream), id);
  }

  /** Returns the range of the bodies of a stream, with their chunks. */
  public KeyRange bodyRange(String tenant, String stream) {
    return layout.children(bodies(tenant, stream));
  }

  /** Returns the range of the bodies of a stream after an event; of all of them without one. */
  KeyRange bodyRangeAfter(String tenant, String stream, Optional<EventId> after) {
    return rangeAfter(bodies(tenant, stream), after);
  }

  /** Returns the range of the bodies of a stream before an event. */
  KeyRange bodyRangeBefore(String tenant, String stream, EventId before) {
    return rangeBefore(bodies(tenant, stream), Optional.of(before));
  }

  /**
   * The parsed key of a body or of one of its chunks.
   *
   * @param id the event
   * @param chunk whether it is the key of a chunk
   */
  record BodyKey(EventId id, boolean chunk) {}

  /**
   * Parses the key of a body or of one of its chunks.
   *
   * @param partition the partition of its stream, which is not part of the key
   */
  BodyKey parseBodyKey(byte[] key, int partition) {
    Tuple items = layout.unpack(key);
    return new BodyKey(idAt(items, FIRST + 1, partition), items.size() > FIRST + 3);
  }

  /** Returns the key of a task's pointer to its event of a sequence. */
  public byte[] taskEventKey(String tenant, String task, long sequence) {
    return layout.key(taskEvents(tenant, task).add(sequence));
  }

  /** Returns the range of a task's pointers to its events. */
  public KeyRange taskEventRange(String tenant, String task) {
    return layout.children(taskEvents(tenant, task));
  }

  /** Returns the range of a task's pointers to its events from a sequence on. */
  public KeyRange taskEventRange(String tenant, String task, long from) {
    return new KeyRange(
        taskEventKey(tenant, task, from), layout.children(taskEvents(tenant, task)).end());
  }

  /** Returns the key of an event's entry in the feed of its own partition. */
  public byte[] feedKey(String tenant, EventId id) {
    return feedKey(tenant, id.partition(), id);
  }

  /** Returns the key of an event's entry in a partition's feed. */
  byte[] feedKey(String tenant, int partition, EventId id) {
    return layout.key(at(feed(tenant, partition), id));
  }

  /** Returns the stamped key of a new event's entry in the feed. */
  byte[] stampedFeedKey(String tenant, PendingEventId id) {
    return layout.stampedKey(at(feed(tenant, id.partition()), id));
  }

  /** Returns the range of a partition's feed. */
  public KeyRange feedRange(String tenant, int partition) {
    return layout.children(feed(tenant, partition));
  }

  /** Returns the range of a partition's feed after an event; of all of it without one. */
  KeyRange feedRangeAfter(String tenant, int partition, Optional<EventId> after) {
    return rangeAfter(feed(tenant, partition), after);
  }

  /** Returns the range of a partition's feed before an event; of all of it without one. */
  KeyRange feedRangeBefore(String tenant, int partition, Optional<EventId> before) {
    return rangeBefore(feed(tenant, partition), before);
  }

  /** Parses the event of an entry in the feed. */
  EventId parseFeedKey(byte[] key) {
    Tuple items = layout.unpack(key);
    return idAt(items, FIRST + 1, (int) items.getLong(FIRST));
  }

  /** Returns the key of the id of a stream's newest event. */
  public byte[] lastEventKey(String tenant, String stream) {
    return layout.key(lastEvents(tenant).add(stream));
  }

  /** Returns the range of the newest events of the streams after one; of all where it is empty. */
  KeyRange lastEventRangeAfter(String tenant, String after) {
    Tuple parent = lastEvents(tenant);
    return after.isEmpty()
        ? layout.children(parent)
        : layout.childrenAfter(parent, parent.add(after));
  }

  /** Parses the stream whose newest event a key is of. */
  String parseLastEventKey(byte[] key) {
    return layout.unpack(key).getString(FIRST);
  }

  /** Returns the key of a stream's floor, or of the tenant's for {@link #WHOLE_TENANT}. */
  public byte[] floorKey(String tenant, String stream) {
    return layout.key(layout.tenant(tenant, TenantSpace.FLOOR).add(stream));
  }

  /** Returns the key of the next sequence of a resource that is no task. */
  public byte[] sequenceKey(String tenant, String object, String id) {
    return layout.key(layout.tenant(tenant, TenantSpace.SEQUENCE).add(object).add(id));
  }

  private Tuple bodies(String tenant, String stream) {
    return layout.tenant(tenant, TenantSpace.EVENT).add(stream);
  }

  private Tuple taskEvents(String tenant, String task) {
    return layout.tenant(tenant, TenantSpace.TASK_EVENT).add(task);
  }

  private Tuple feed(String tenant, int partition) {
    return layout.tenant(tenant, TenantSpace.FEED).add(partition);
  }

  private Tuple lastEvents(String tenant) {
    return layout.tenant(tenant, TenantSpace.LAST_EVENT);
  }

  private KeyRange rangeAfter(Tuple parent, Optional<EventId> after) {
    return after
        .map(id -> layout.childrenAfter(parent, at(parent, id)))
        .orElseGet(() -> layout.children(parent));
  }

  private KeyRange rangeBefore(Tuple parent, Optional<EventId> before) {
    KeyRange all = layout.children(parent);
    return before.map(id -> new KeyRange(all.begin(), layout.key(at(parent, id)))).orElse(all);
  }

  private static Tuple at(Tuple parent, EventId id) {
    return parent.add(id.era()).add(id.stamp());
  }

  private static Tuple at(Tuple parent, PendingEventId id) {
    return parent.add(id.era()).add(Versionstamp.incomplete(id.number()));
  }

  private static EventId idAt(Tuple items, int at, int partition) {
    return EventId.of((int) items.getLong(at), items.getVersionstamp(at + 1), partition);
  }
}
