package dev.bridle.core.work.dispatch;

import dev.bridle.core.work.task.TaskStores;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.TaskQueue;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Finds queued tasks that a worker may take. */
final class QueueCandidates {
  private static final int CANDIDATES = 32;

  /**
   * How many queued tasks of a shard are scanned for a worker that may not take the first ones:
   * with access to some workspaces only, or with one task of a session at a time.
   */
  private static final int MAX_LOOKED_AT = 10_000;

  private final TaskStores stores;
  private final Clock clock;
  private final SessionTurns turns;

  QueueCandidates(TaskStores stores, Clock clock, SessionTurns turns) {
    this.stores = stores;
    this.clock = clock;
    this.turns = turns;
  }

  /** Returns what gives the turns in sessions. */
  SessionTurns turns() {
    return turns;
  }

  /**
   * Returns queued tasks that the worker may take now. Read by snapshot: they may be taken by
   * others before they are claimed.
   */
  List<QueuedTask> of(ReadTransaction snapshot, LeaseGrants.Taker taker, QueueFront front) {
    long now = clock.millis();
    List<QueuedTask> found = new ArrayList<>();
    for (int shard = 0; shard < TaskQueue.SHARDS; shard++) {
      long version = front.version(shard);
      List<QueuedTask> waiting =
          stores
              .queue()
              .waiting(snapshot, shard, taker.agentId(), taker.tenant(), version, CANDIDATES);
      front.saw(shard, waiting, snapshot.readVersion());
      Set<String> sessions = new HashSet<>();
      List<QueuedTask> next =
          reached(snapshot, taker, shard, version, waiting).stream()
              .filter(task -> free(task, taker, now) && isNext(snapshot, task, taker, sessions))
              .toList();
      boolean isHidden = next.isEmpty() && taker.onePerSession() && waiting.size() == CANDIDATES;
      found.addAll(isHidden ? behind(snapshot, taker, shard, version, now) : next);
    }
    return found;
  }

  /**
   * Returns the first task of a shard that the worker may take, behind many of sessions in which
   * another task has the turn: among them may be that one, which was queued again.
   */
  private List<QueuedTask> behind(
      ReadTransaction snapshot, LeaseGrants.Taker taker, int shard, long version, long now) {
    return scan(
        snapshot,
        taker,
        shard,
        version,
        1,
        task ->
            free(task, taker, now)
                && reaches(snapshot, task, taker)
                && isNext(snapshot, task, taker, new HashSet<>()));
  }

  private List<QueuedTask> scan(
      ReadTransaction snapshot,
      LeaseGrants.Taker taker,
      int shard,
      long version,
      int limit,
      Predicate<QueuedTask> wanted) {
    return stores
        .queue()
        .waiting(
            snapshot,
            shard,
            taker.agentId(),
            taker.tenant(),
            version,
            limit,
            wanted,
            MAX_LOOKED_AT);
  }

  private boolean reaches(ReadTransaction snapshot, QueuedTask task, LeaseGrants.Taker taker) {
    return taker.workspaces().isEmpty() || taker.reaches(workspace(snapshot, task));
  }

  /** Returns queued tasks that the worker can access, skipping those that it can't. */
  private List<QueuedTask> reached(
      ReadTransaction snapshot,
      LeaseGrants.Taker taker,
      int shard,
      long version,
      List<QueuedTask> waiting) {
    if (taker.workspaces().isEmpty() || waiting.isEmpty()) {
      return waiting;
    }
    return scan(
        snapshot, taker, shard, version, CANDIDATES, task -> reaches(snapshot, task, taker));
  }

  private String workspace(ReadTransaction snapshot, QueuedTask task) {
    return task.workspace().isEmpty()
        ? stores
            .tasks()
            .find(snapshot, task.tenant(), task.task())
            .map(record -> record.getTask().getWorkspaceId())
            .orElse("")
        : task.workspace();
  }

  private static boolean free(QueuedTask task, LeaseGrants.Taker taker, long now) {
    return task.affinityWorkerId().isEmpty()
        || task.affinityWorkerId().equals(taker.workerId())
        || task.affinityUntil() <= now;
  }

  /**
   * Returns whether a worker that works on one task of a session at a time may take this one: no
   * task has the turn in its session, and none of the session comes before it in the shard.
   *
   * @param sessions those of the tasks before it, to which its own is added
   */
  private boolean isNext(
      ReadTransaction snapshot, QueuedTask queued, LeaseGrants.Taker taker, Set<String> sessions) {
    return !taker.onePerSession()
        || stores
            .tasks()
            .find(snapshot, queued.tenant(), queued.task())
            .filter(task -> turns.isFree(snapshot, queued.tenant(), taker.agentId(), task))
            .filter(task -> sessions.add(queued.tenant() + "/" + task.getTask().getSessionId()))
            .isPresent();
  }
}
