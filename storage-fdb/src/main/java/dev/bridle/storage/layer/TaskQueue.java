package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
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
 * The queue of tasks that wait for a worker, oldest first within a shard; {@link QueueKeys} defines
 * the rows.
 *
 * <p>A consumer reads candidates by snapshot, then takes one with a conflict on that entry only, so
 * that consumers conflict only if they take the same task.
 */
public final class TaskQueue {
  /** Shards of the queue. */
  public static final int SHARDS = 4;

  private static final int WORKSPACE = 2;
  private static final int PAGE = 500;

  private final QueueKeys keys;
  private final WakeKeys wakes;

  public TaskQueue(KeyLayout layout) {
    this.keys = new QueueKeys(layout);
    this.wakes = new WakeKeys(layout);
  }

  /** Returns the shard that a task queues in. */
  public static int shardOf(String task) {
    return Math.floorMod(task.hashCode(), SHARDS);
  }

  /** Queues a task that is not queued. */
  public void push(Transaction tr, QueuedTask entry) {
    tr.setVersionstampedKey(
        keys.stampedEntryKey(entry.tenant(), entry.task(), entry.agentId()),
        Tuple.from(entry.affinityWorkerId(), entry.affinityUntil(), entry.workspace()).pack());
    tr.setVersionstampedValue(
        keys.placeKey(entry.tenant(), entry.task()), Stamps.value(new byte[Stamps.BYTES], 0));
    wakes.raise(tr, wakes.ofQueue(entry.agentId()));
  }

  /** Returns the place of a task in its queue; empty if it is in none. */
  public Optional<Place> place(ReadTransaction tr, String tenant, String task) {
    return tr.get(keys.placeKey(tenant, task)).map(stamp -> new Place(tenant, task, stamp));
  }

  /** Removes a task from its queue, at the place that this transaction has read. */
  public void remove(Transaction tr, Place place, String agentId) {
    tr.clear(keys.placeKey(place.tenant(), place.task()));
    tr.clear(keys.entryKey(place.tenant(), place.task(), agentId, place.stamp()));
  }

  /**
   * The place of a queued task.
   *
   * @param tenant the task's tenant
   * @param task the task's id
   * @param stamp the stamp of the commit that queued it
   */
  @SuppressWarnings("ArrayRecordComponent") // Used for the entry's key only.
  public record Place(String tenant, String task, byte[] stamp) {}

  /** Returns up to {@code limit} tasks of one tenant that wait for an agent, oldest first. */
  public List<QueuedTask> waiting(
      ReadTransaction tr, int shard, String agentId, String tenant, int limit) {
    return waiting(tr, shard, agentId, tenant, 0, limit);
  }

  /**
   * Returns up to {@code limit} tasks that were queued by a commit of version {@code fromVersion}
   * or later. Consumers pass the version before which all tasks were taken, to skip tombstones.
   */
  public List<QueuedTask> waiting(
      ReadTransaction tr, int shard, String agentId, String tenant, long fromVersion, int limit) {
    return entries(tr.getRange(keys.entryRange(shard, agentId, tenant, fromVersion), limit));
  }

  /**
   * Returns up to {@code limit} tasks that match {@code wanted}, oldest first.
   *
   * @param most how many queued tasks are examined
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
    KeyRange range = keys.entryRange(shard, agentId, tenant, fromVersion);
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

  private List<QueuedTask> entries(List<KeyValue> rows) {
    return rows.stream().map(this::entry).toList();
  }

  private QueuedTask entry(KeyValue row) {
    return entry(keys.parseEntryKey(row.key()), row.value());
  }

  /** Parses an entry. */
  static QueuedTask entry(QueueKeys.EntryKey key, byte[] value) {
    Tuple affinity = Tuple.fromBytes(value);
    return new QueuedTask(
        key.tenant(),
        key.task(),
        key.agentId(),
        workspace(affinity),
        affinity.getString(0),
        affinity.getLong(1),
        ByteBuffer.wrap(key.stamp()).getLong());
  }

  /** Reads the workspace; entries of earlier versions lack it. */
  private static String workspace(Tuple value) {
    return value.size() > WORKSPACE ? value.getString(WORKSPACE) : "";
  }
}
