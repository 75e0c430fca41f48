package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Appends events within one transaction, and numbers them. Use one appender per transaction and
 * tenant, and {@link #finish} it before the transaction commits. Reads the tenant's era with a
 * conflict, so that everything that commits after an import, which raises it, sorts after the
 * import.
 */
public final class EventAppender {
  private final EventKeys keys;
  private final LargeValue values;
  private final Transaction tr;
  private final String tenant;
  private final int partitions;
  private final WakeKeys wakes;
  private final int era;
  private final Set<Integer> woken = new HashSet<>();
  private final Map<String, PendingEventId> newest = new HashMap<>();
  private int nextNumber;

  EventAppender(
      EventKeys keys,
      LargeValue values,
      Transaction tr,
      String tenant,
      int partitions,
      WakeKeys wakes,
      int era) {
    this.keys = keys;
    this.values = values;
    this.tr = tr;
    this.tenant = tenant;
    this.partitions = partitions;
    this.wakes = wakes;
    this.era = era;
  }

  /**
   * Appends an event to a stream.
   *
   * @param stream the session's id, or that of the resource itself where it has no session
   * @param body the event's record, without its id
   * @return the event's id, once the transaction has committed
   */
  public PendingEventId append(String stream, byte[] body) {
    int partition = EventPartitions.of(stream, partitions);
    PendingEventId id = new PendingEventId(era, nextNumber(), partition);
    values.insertStamped(tr, keys.pendingBodyTuple(tenant, stream, id), body);
    tr.setVersionstampedKey(keys.stampedFeedKey(tenant, id), Tuple.from(stream).pack());
    newest.put(stream, id);
    if (woken.add(partition)) {
      wakes.raise(tr, wakes.ofEvents(tenant, partition));
    }
    return id;
  }

  /** Appends an event of a task, with its pointer. */
  public PendingEventId appendOfTask(String stream, String task, long sequence, byte[] body) {
    PendingEventId id = append(stream, body);
    tr.setVersionstampedValue(keys.taskEventKey(tenant, task, sequence), idValue(id));
    return id;
  }

  /** Notes each stream's newest event. Call this once, after the transaction's last event. */
  public void finish() {
    newest.forEach(
        (stream, id) -> tr.setVersionstampedValue(keys.lastEventKey(tenant, stream), idValue(id)));
  }

  /** Returns the tenant's era, which a restore or an import raises. */
  public int era() {
    return era;
  }

  /** Takes a position in the order of the log, for a row that is not an event. */
  public PendingEventId order() {
    return new PendingEventId(era, nextNumber(), 0);
  }

  private int nextNumber() {
    if (nextNumber > 0xffff) {
      throw new IllegalStateException("more than 65,536 stamped rows in one transaction");
    }
    return nextNumber++;
  }

  private static byte[] idValue(PendingEventId id) {
    byte[] room =
        ByteBuffer.allocate(EventId.BYTES)
            .putShort((short) id.era())
            .put(new byte[Stamps.BYTES])
            .putShort((short) id.number())
            .put((byte) id.partition())
            .array();
    return Stamps.value(room, Short.BYTES);
  }
}
