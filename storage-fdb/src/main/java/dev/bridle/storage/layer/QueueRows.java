package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.ReadTransaction;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The rows of {@link TaskQueue} one by one, for those who check them. */
public final class QueueRows {
  private final KeyLayout layout;

  public QueueRows(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns the stamp of the entry that a task says it has. */
  public Optional<byte[]> place(ReadTransaction tr, String tenant, String task) {
    return tr.get(layout.key(layout.tenant(tenant, TenantSpace.QUEUE_PLACE).add(task)));
  }

  /** Returns the entry of a task under an agent and a stamp; empty where there is none. */
  public Optional<QueuedTask> entry(
      ReadTransaction tr, String tenant, String task, String agentId, byte[] stamp) {
    if (stamp.length != Stamps.BYTES) {
      return Optional.empty();
    }
    Tuple key =
        layout
            .system(SystemSpace.QUEUE)
            .add(TaskQueue.shardOf(task))
            .add(agentId)
            .add(tenant)
            .add(Versionstamp.complete(stamp))
            .add(task);
    return tr.get(layout.key(key))
        .map(Tuple::fromBytes)
        .map(
            affinity ->
                new QueuedTask(
                    tenant,
                    task,
                    agentId,
                    TaskQueue.workspace(affinity),
                    affinity.getString(0),
                    affinity.getLong(1),
                    ByteBuffer.wrap(stamp).getLong()));
  }
}
