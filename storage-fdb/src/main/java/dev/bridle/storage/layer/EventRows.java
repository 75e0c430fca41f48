package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Low-level access to the rows of {@link EventLog}, to import and export events with their ids.
 * Events stored here are history: live tails skip them, and no waiters are woken.
 */
public final class EventRows {
  private static final long IMPORTED = 1;

  private final EventKeys keys;
  private final LargeValue values;
  private final EventLog log;

  public EventRows(KeyLayout layout, EventLog log) {
    this.keys = new EventKeys(layout);
    this.values = new LargeValue(layout);
    this.log = log;
  }

  /** Returns up to {@code limit} streams after one, in the order of their names. */
  public List<String> streams(ReadTransaction tr, String tenant, String after, int limit) {
    return tr.getRange(keys.lastEventRangeAfter(tenant, after), limit).stream()
        .map(row -> keys.parseLastEventKey(row.key()))
        .toList();
  }

  /** Returns an event's body, if it is in the stream. */
  public Optional<byte[]> body(ReadTransaction tr, String tenant, String stream, EventId id) {
    return values.get(tr, keys.bodyKey(tenant, stream, id));
  }

  /** Stores a new event. */
  public void insert(Transaction tr, String tenant, StoredEvent event) {
    values.set(tr, keys.bodyKey(tenant, event.stream(), event.id()), event.body(), 0);
    tr.set(
        feedKey(tenant, event.stream(), event.id()), Tuple.from(event.stream(), IMPORTED).pack());
  }

  /** Stores the pointer from a task's sequence to its event. */
  public void pointFromTask(Transaction tr, String tenant, String task, long sequence, EventId id) {
    tr.set(keys.taskEventKey(tenant, task, sequence), id.toBytes());
  }

  /** Removes a stream's only event and all rows of the stream. */
  public void removeStream(Transaction tr, String tenant, String stream, EventId only) {
    values.clear(tr, keys.bodyKey(tenant, stream, only));
    tr.clear(feedKey(tenant, stream, only));
    tr.clear(keys.lastEventKey(tenant, stream));
  }

  /** Makes an event the newest of its stream, unless there is a newer one. */
  public void raiseLast(Transaction tr, String tenant, String stream, EventId id) {
    raise(tr, keys.lastEventKey(tenant, stream), id);
  }

  /** Raises the floor of a stream, or of the whole tenant where {@code stream} is empty. */
  public void raiseFloor(Transaction tr, String tenant, String stream, EventId floor) {
    raise(tr, keys.floorKey(tenant, stream), floor);
  }

  /** Returns the sequence of the next event of a resource that is no task. */
  public long sequence(ReadTransaction tr, String tenant, String object, String id) {
    return tr.get(keys.sequenceKey(tenant, object, id))
        .map(value -> ByteBuffer.wrap(value).getLong())
        .orElse(0L);
  }

  /** Sets that sequence; 0 removes it. */
  public void setSequence(Transaction tr, String tenant, String object, String id, long next) {
    byte[] key = keys.sequenceKey(tenant, object, id);
    if (next == 0) {
      tr.clear(key);
    } else {
      tr.set(key, ByteBuffer.allocate(Long.BYTES).putLong(next).array());
    }
  }

  /** Returns the newest event of a partition. */
  public Optional<EventId> newest(ReadTransaction tr, String tenant, int partition) {
    List<KeyValue> last = tr.getRange(keys.feedRange(tenant, partition), 1, true);
    return last.stream().findFirst().map(row -> keys.parseFeedKey(row.key()));
  }

  private static void raise(Transaction tr, byte[] key, EventId id) {
    Optional<EventId> there = tr.get(key).map(EventId::fromBytes);
    if (there.isEmpty() || there.get().compareTo(id) < 0) {
      tr.set(key, id.toBytes());
    }
  }

  private byte[] feedKey(String tenant, String stream, EventId id) {
    return keys.feedKey(tenant, log.partitionOf(stream), id);
  }
}
