package dev.bridle.storage.layer;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Counts heartbeats of leases, apart from the task's record, so that they don't conflict with the
 * worker's reports: {@code tenant / RENEWAL / task, fence → count}.
 */
public final class RenewalStore {
  private final KeyLayout layout;

  public RenewalStore(KeyLayout layout) {
    this.layout = layout;
  }

  /**
   * Counts a heartbeat. It conflicts with {@link #forget}, so that a late heartbeat leaves no row
   * of a lease that has ended.
   */
  public void renew(Transaction tr, String tenant, String task, long fence) {
    byte[] key = key(tenant, task, fence);
    tr.addReadConflict(KeyRange.single(key));
    tr.add(key, 1);
  }

  /** Returns how often a lease has been renewed. */
  public long renewals(ReadTransaction tr, String tenant, String task, long fence) {
    return tr.get(key(tenant, task, fence))
        .map(value -> ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .orElse(0L);
  }

  /** Deletes the heartbeat count of a lease. */
  public void forget(Transaction tr, String tenant, String task, long fence) {
    tr.clear(key(tenant, task, fence));
  }

  private byte[] key(String tenant, String task, long fence) {
    return layout.key(layout.tenant(tenant, TenantSpace.RENEWAL).add(task).add(fence));
  }
}
