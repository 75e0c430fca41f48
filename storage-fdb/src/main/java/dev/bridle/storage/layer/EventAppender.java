package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Appends events within one transaction, and numbers them. Only one appender for each transaction
 * and tenant. Reads the tenant's era with a conflict, so that an import that raises it sorts before
 * everything that commits after it.
 */
public final class EventAppender {
  private final KeyLayout layout;
  private final Transaction tr;
  private final String tenant;
  private final int partitions;
  private final WakeKeys wakes;
  private final int era;
  private final Set<Integer> woken = new HashSet<>();
  private int nextNumber;

  EventAppender(
      KeyLayout layout, Transaction tr, String tenant, int partitions, WakeKeys wakes, int era) {
    this.layout = layout;
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
    int number = nextNumber();
    int partition = EventPartitions.of(stream, partitions);
    Versionstamp stamp = Versionstamp.incomplete(number);
    Tuple bodyKey = layout.tenant(tenant, TenantSpace.EVENT).add(stream).add(era).add(stamp);
    byte[][] chunks = LargeValue.split(body);
    tr.setVersionstampedKey(layout.stampedKey(bodyKey), chunks[0]);
    for (int i = 1; i < chunks.length; i++) {
      tr.setVersionstampedKey(layout.stampedKey(bodyKey.add(i)), chunks[i]);
    }
    tr.setVersionstampedKey(
        layout.stampedKey(
            layout.tenant(tenant, TenantSpace.FEED).add(partition).add(era).add(stamp)),
        Tuple.from(stream).pack());
    tr.setVersionstampedValue(
        layout.key(layout.tenant(tenant, TenantSpace.LAST_EVENT).add(stream)),
        idValue(number, partition));
    if (woken.add(partition)) {
      wakes.raise(tr, wakes.ofEvents(tenant, partition));
    }
    return new PendingEventId(era, number, partition);
  }

  /** Appends an event of a task, with its pointer. */
  public PendingEventId appendOfTask(String stream, String task, long sequence, byte[] body) {
    PendingEventId id = append(stream, body);
    tr.setVersionstampedValue(
        layout.key(layout.tenant(tenant, TenantSpace.TASK_EVENT).add(task).add(sequence)),
        idValue(id.number(), id.partition()));
    return id;
  }

  /** Takes a place in the order of the log, for a row that is no event. */
  public PendingEventId order() {
    return new PendingEventId(era, nextNumber(), 0);
  }

  private int nextNumber() {
    if (nextNumber > 0xffff) {
      throw new IllegalStateException("more than 65,536 stamped rows in one transaction");
    }
    return nextNumber++;
  }

  private byte[] idValue(int number, int partition) {
    byte[] room =
        ByteBuffer.allocate(EventId.BYTES)
            .putShort((short) era)
            .put(new byte[Stamps.BYTES])
            .putShort((short) number)
            .put((byte) partition)
            .array();
    return Stamps.value(room, Short.BYTES);
  }
}
