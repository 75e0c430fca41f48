package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Builds and parses the keys of {@link TaskQueue}:
 *
 * <pre>
 * QUEUE / shard, agent, tenant, stamp, task   → affinity, workspace
 * tenant / QUEUE_PLACE / task                 → stamp of its entry
 * </pre>
 *
 * <p>Entries of one shard, agent and tenant sort by the commits that queued them.
 */
public final class QueueKeys {
  private static final int AGENT = 3;
  private static final int TENANT = 4;
  private static final int STAMP = 5;
  private static final int TASK = 6;

  private final KeyLayout layout;

  public QueueKeys(KeyLayout layout) {
    this.layout = layout;
  }

  /**
   * Returns the key of a task's entry.
   *
   * @param stamp the 10 bytes of the commit that queued it
   */
  byte[] entryKey(String tenant, String task, String agentId, byte[] stamp) {
    return layout.key(entry(tenant, task, agentId, Versionstamp.complete(stamp)));
  }

  /** Returns the stamped key of a task's entry that is about to be queued. */
  byte[] stampedEntryKey(String tenant, String task, String agentId) {
    return layout.stampedKey(entry(tenant, task, agentId, Versionstamp.incomplete(0)));
  }

  /**
   * Returns the range of a tenant's entries in a shard of an agent's queue that a commit of version
   * {@code fromVersion} or later has queued.
   */
  KeyRange entryRange(int shard, String agentId, String tenant, long fromVersion) {
    Tuple parent = entries(shard, agentId, tenant);
    byte[] stamp = ByteBuffer.allocate(Stamps.BYTES).putLong(fromVersion).array();
    return new KeyRange(
        layout.key(parent.add(Versionstamp.complete(stamp))), layout.children(parent).end());
  }

  /** Returns the range of the entries of all tenants. */
  KeyRange entryRange() {
    return layout.children(layout.system(SystemSpace.QUEUE));
  }

  /**
   * The parsed key of an entry, without its shard.
   *
   * @param tenant the tenant
   * @param task the task's id
   * @param agentId the agent that it is bound to; empty if none
   * @param stamp the 10 bytes of the commit that queued it
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once by the row that it belongs to.
  record EntryKey(String tenant, String task, String agentId, byte[] stamp) {}

  /** Parses the key of an entry. */
  EntryKey parseEntryKey(byte[] key) {
    Tuple items = layout.unpack(key);
    return new EntryKey(
        items.getString(TENANT),
        items.getString(TASK),
        items.getString(AGENT),
        Arrays.copyOf(items.getVersionstamp(STAMP).getBytes(), Stamps.BYTES));
  }

  /** Parses the tenant of an entry, whatever the rest of its key holds. */
  String parseEntryTenant(byte[] key) {
    return layout.unpack(key).getString(TENANT);
  }

  /** Returns the key of the stamp of a task's entry. */
  public byte[] placeKey(String tenant, String task) {
    return layout.key(layout.tenant(tenant, TenantSpace.QUEUE_PLACE).add(task));
  }

  private Tuple entries(int shard, String agentId, String tenant) {
    return layout.system(SystemSpace.QUEUE).add(shard).add(agentId).add(tenant);
  }

  private Tuple entry(String tenant, String task, String agentId, Versionstamp stamp) {
    return entries(TaskQueue.shardOf(task), agentId, tenant).add(stamp).add(task);
  }
}
