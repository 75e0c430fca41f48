package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Tasks that wait for a worker, oldest first within a shard:
 *
 * <pre>
 * QUEUE / shard, agent, tenant, stamp, task   → affinity, workspace
 * tenant / QUEUE_PLACE / task                 → stamp of its entry
 * </pre>
 *
 * <p>A consumer looks for candidates by snapshot, then takes one with a conflict on that entry
 * alone, so that consumers of one queue meet only where they take the same task.
 */
public final class TaskQueue {
  /** Shards of the queue. */
  public static final int SHARDS = 4;

  private static final int WORKSPACE = 2;
  private static final int PAGE = 500;

  private final KeyLayout layout;
  private final WakeKeys wakes;

  public TaskQueue(KeyLayout layout) {
    this.layout = layout;
    this.wakes = new WakeKeys(layout);
  }

  /** Returns the shard that a task queues in. */
  public static int shardOf(String task) {
    return Math.floorMod(task.hashCode(), SHARDS);
  }

  /** Queues a task that is in no queue. */
  public void push(Transaction tr, QueuedTask entry) {
    Tuple key =
        queue(shardOf(entry.task()), entry.agentId())
            .add(entry.tenant())
            .add(Versionstamp.incomplete(0))
            .add(entry.task());
    tr.setVersionstampedKey(
        layout.stampedKey(key),
        Tuple.from(entry.affinityWorkerId(), entry.affinityUntil(), entry.workspace()).pack());
    tr.setVersionstampedValue(
        place(entry.tenant(), entry.task()), Stamps.value(new byte[Stamps.BYTES], 0));
    wakes.raise(tr, wakes.ofQueue(entry.agentId()));
  }

  /**
   * Takes a task out of its queue.
   *
   * @return whether it was in the queue
   */
  public boolean remove(Transaction tr, String tenant, String task, String agentId) {
    byte[] place = place(tenant, task);
    Optional<byte[]> stamp = tr.get(place);
    if (stamp.isEmpty()) {
      return false;
    }
    tr.clear(place);
    tr.clear(
        layout.key(
            queue(shardOf(task), agentId)
                .add(tenant)
                .add(Versionstamp.complete(stamp.get()))
                .add(task)));
    return true;
  }

  /** Returns whether a task is in its queue. */
  public boolean contains(ReadTransaction tr, String tenant, String task) {
    return tr.get(place(tenant, task)).isPresent();
  }

  /** Returns up to {@code limit} tasks of one tenant that wait for an agent, oldest first. */
  public List<QueuedTask> waiting(
      ReadTransaction tr, int shard, String agentId, String tenant, int limit) {
    return waiting(tr, shard, agentId, tenant, 0, limit);
  }

  /**
   * Returns up to {@code limit} tasks that were queued by a commit of version {@code fromVersion}
   * or later. Who consumes a queue knows that all before has been taken, and needs not look past
   * what is left of it in the store.
   */
  public List<QueuedTask> waiting(
      ReadTransaction tr, int shard, String agentId, String tenant, long fromVersion, int limit) {
    return entries(tr.getRange(range(shard, agentId, tenant, fromVersion), limit));
  }

  /**
   * Returns up to {@code limit} of the tasks that {@code wanted} takes, oldest first, however many
   * others wait before them.
   *
   * @param most how many waiting tasks are looked at
   */
  public List<QueuedTask> waiting(
      ReadTransaction tr,
      int shard,
      String agentId,
      String tenant,
      long fromVersion,
      int limit,
      Predicate<QueuedTask> wanted,
      int most) {
    KeyRange range = range(shard, agentId, tenant, fromVersion);
    List<QueuedTask> found = new ArrayList<>();
    List<KeyValue> page = List.of();
    int seen = 0;
    do {
      page = tr.getRange(range, PAGE);
      entries(page).stream().filter(wanted).limit(limit - found.size()).forEach(found::add);
      seen += page.size();
      if (!page.isEmpty()) {
        range = new KeyRange(KeyRange.after(page.get(page.size() - 1).key()), range.end());
      }
    } while (page.size() == PAGE && found.size() < limit && seen < most);
    return found;
  }

  private KeyRange range(int shard, String agentId, String tenant, long fromVersion) {
    Tuple parent = queue(shard, agentId).add(tenant);
    byte[] stamp = ByteBuffer.allocate(Stamps.BYTES).putLong(fromVersion).array();
    return new KeyRange(
        layout.key(parent.add(Versionstamp.complete(stamp))), layout.children(parent).end());
  }

  private List<QueuedTask> entries(List<KeyValue> rows) {
    return rows.stream().map(this::entry).toList();
  }

  private QueuedTask entry(KeyValue row) {
    Tuple key = layout.unpack(row.key());
    Tuple affinity = Tuple.fromBytes(row.value());
    return new QueuedTask(
        key.getString(4),
        key.getString(6),
        key.getString(3),
        workspace(affinity),
        affinity.getString(0),
        affinity.getLong(1),
        ByteBuffer.wrap(key.getVersionstamp(5).getBytes()).getLong());
  }

  /** Reads what an entry says last; entries of before it was kept end sooner. */
  static String workspace(Tuple value) {
    return value.size() > WORKSPACE ? value.getString(WORKSPACE) : "";
  }

  private Tuple queue(int shard, String agentId) {
    return layout.system(SystemSpace.QUEUE).add(shard).add(agentId);
  }

  private byte[] place(String tenant, String task) {
    return layout.key(layout.tenant(tenant, TenantSpace.QUEUE_PLACE).add(task));
  }
}
