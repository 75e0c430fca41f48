package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The rows of {@link EventLog} for those who move events as they are, with the ids that they have.
 * What is stored here is history: tails that are live do not hand it on, and nobody is woken.
 */
public final class EventRows {
  private static final long IMPORTED = 1;

  private final KeyLayout layout;
  private final LargeValue values;
  private final EventLog log;

  public EventRows(KeyLayout layout, EventLog log) {
    this.layout = layout;
    this.values = new LargeValue(layout);
    this.log = log;
  }

  /** Returns up to {@code limit} streams after one, in the order of their names. */
  public List<String> streams(ReadTransaction tr, String tenant, String after, int limit) {
    Tuple parent = layout.tenant(tenant, TenantSpace.LAST_EVENT);
    var range =
        after.isEmpty() ? layout.children(parent) : layout.childrenAfter(parent, parent.add(after));
    return tr.getRange(range, limit).stream()
        .map(row -> layout.unpack(row.key()).getString(parent.size()))
        .toList();
  }

  /** Returns an event's body, where it lies in the stream. */
  public Optional<byte[]> body(ReadTransaction tr, String tenant, String stream, EventId id) {
    return values.get(tr, bodyKey(tenant, stream, id));
  }

  /** Stores an event that is not there. */
  public void insert(Transaction tr, String tenant, StoredEvent event) {
    values.set(tr, bodyKey(tenant, event.stream(), event.id()), event.body(), 0);
    tr.set(
        feedKey(tenant, event.stream(), event.id()), Tuple.from(event.stream(), IMPORTED).pack());
  }

  /** Points from a task's sequence to its event. */
  public void pointFromTask(Transaction tr, String tenant, String task, long sequence, EventId id) {
    tr.set(
        layout.key(layout.tenant(tenant, TenantSpace.TASK_EVENT).add(task).add(sequence)),
        id.toBytes());
  }

  /** Removes a stream's only event, with all that is kept of the stream. */
  public void removeStream(Transaction tr, String tenant, String stream, EventId only) {
    values.clear(tr, bodyKey(tenant, stream, only));
    tr.clear(feedKey(tenant, stream, only));
    tr.clear(layout.key(layout.tenant(tenant, TenantSpace.LAST_EVENT).add(stream)));
  }

  /** Makes an event the newest of its stream, unless there is a newer one. */
  public void raiseLast(Transaction tr, String tenant, String stream, EventId id) {
    byte[] key = layout.key(layout.tenant(tenant, TenantSpace.LAST_EVENT).add(stream));
    raise(tr, key, id);
  }

  /** Raises the floor of a stream, or of the whole tenant where {@code stream} is empty. */
  public void raiseFloor(Transaction tr, String tenant, String stream, EventId floor) {
    raise(tr, floorKey(tenant, stream), floor);
  }

  /** Returns the sequence of the next event of a resource that is no task. */
  public long sequence(ReadTransaction tr, String tenant, String object, String id) {
    return tr.get(sequenceKey(tenant, object, id))
        .map(value -> ByteBuffer.wrap(value).getLong())
        .orElse(0L);
  }

  /** Sets that sequence, or forgets it where it is 0. */
  public void setSequence(Transaction tr, String tenant, String object, String id, long next) {
    byte[] key = sequenceKey(tenant, object, id);
    if (next == 0) {
      tr.clear(key);
    } else {
      tr.set(key, ByteBuffer.allocate(Long.BYTES).putLong(next).array());
    }
  }

  /** Returns the newest event of a partition. */
  public Optional<EventId> newest(ReadTransaction tr, String tenant, int partition) {
    Tuple parent = layout.tenant(tenant, TenantSpace.FEED).add(partition);
    List<KeyValue> last = tr.getRange(layout.children(parent), 1, true);
    return last.stream()
        .findFirst()
        .map(
            row -> {
              Tuple key = layout.unpack(row.key());
              return EventId.of(
                  (int) key.getLong(parent.size()),
                  key.getVersionstamp(parent.size() + 1),
                  partition);
            });
  }

  private static void raise(Transaction tr, byte[] key, EventId id) {
    Optional<EventId> there = tr.get(key).map(EventId::fromBytes);
    if (there.isEmpty() || there.get().compareTo(id) < 0) {
      tr.set(key, id.toBytes());
    }
  }

  private byte[] sequenceKey(String tenant, String object, String id) {
    return layout.key(layout.tenant(tenant, TenantSpace.SEQUENCE).add(object).add(id));
  }

  private byte[] floorKey(String tenant, String stream) {
    return layout.key(layout.tenant(tenant, TenantSpace.FLOOR).add(stream));
  }

  private Tuple bodyKey(String tenant, String stream, EventId id) {
    return layout.tenant(tenant, TenantSpace.EVENT).add(stream).add(id.era()).add(id.stamp());
  }

  private byte[] feedKey(String tenant, String stream, EventId id) {
    return layout.key(
        layout
            .tenant(tenant, TenantSpace.FEED)
            .add(log.partitionOf(stream))
            .add(id.era())
            .add(id.stamp()));
  }
}
