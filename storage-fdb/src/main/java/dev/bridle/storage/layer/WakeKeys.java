package dev.bridle.storage.layer;

import dev.bridle.storage.Transaction;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A small, fixed set of keys that commits raise and waiters watch: one per tenant and partition
 * would exceed the store's limit of watches. A waiter reads and sets its watch in one transaction,
 * and also polls, since a watch may be missed.
 */
public final class WakeKeys {
  private static final int EVENT_SLOTS = 48;
  private static final int QUEUE_SLOTS = 16;
  private static final int MAILBOX_SLOTS = 32;

  private final KeyLayout layout;

  public WakeKeys(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns the slot that commits of events in a partition raise. */
  public int ofEvents(String tenant, int partition) {
    return Math.floorMod(Objects.hash(tenant, partition), EVENT_SLOTS);
  }

  /** Returns the slot that commits into an agent's queue raise. */
  public int ofQueue(String agentId) {
    return EVENT_SLOTS + Math.floorMod(agentId.hashCode(), QUEUE_SLOTS);
  }

  /** Returns the slot that changes of an owner's mailbox raise. */
  public int ofMailbox(String tenant, String owner) {
    return EVENT_SLOTS + QUEUE_SLOTS + Math.floorMod(Objects.hash(tenant, owner), MAILBOX_SLOTS);
  }

  /** Wakes the waiters of a slot once the transaction commits. */
  void raise(Transaction tr, int slot) {
    tr.add(key(slot), 1);
  }

  /** Watches a slot from the transaction's read version on. */
  public CompletableFuture<Void> watch(Transaction tr, int slot) {
    return tr.watch(key(slot));
  }

  private byte[] key(int slot) {
    return layout.key(layout.system(SystemSpace.WAKE).add(slot));
  }
}
