package dev.bridle.storage.layer;

import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/** Low-level access to the rows of {@link TaskQueue}, for the checker. */
public final class QueueRows {
  private final QueueKeys keys;

  public QueueRows(KeyLayout layout) {
    this.keys = new QueueKeys(layout);
  }

  /** Returns the stamp of a task's queue entry. */
  public Optional<byte[]> place(ReadTransaction tr, String tenant, String task) {
    return tr.get(keys.placeKey(tenant, task));
  }

  /** Returns the entry of a task under an agent and a stamp; empty if there is none. */
  public Optional<QueuedTask> entry(
      ReadTransaction tr, String tenant, String task, String agentId, byte[] stamp) {
    if (stamp.length != Stamps.BYTES) {
      return Optional.empty();
    }
    QueueKeys.EntryKey key = new QueueKeys.EntryKey(tenant, task, agentId, stamp);
    return tr.get(keys.entryKey(tenant, task, agentId, stamp))
        .map(value -> TaskQueue.entry(key, value));
  }
}
