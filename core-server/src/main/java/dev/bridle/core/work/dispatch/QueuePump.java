package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.WakeKeys;
import dev.bridle.worker.v1.TaskLease;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves tasks from one agent's queue to the workers of this process that take from it. Runs when
 * workers want tasks and some may be queued, and never concurrently. If the queue is empty, it
 * watches the queue's wake key from the transaction that found nothing; a slow periodic {@link
 * #lookAgain()} covers missed watches.
 */
final class QueuePump {
  /** The maximum number of leases that one transaction grants. */
  private static final int CLAIM = 16;

  private static final Logger log = LoggerFactory.getLogger(QueuePump.class);

  private final KeyValueStore store;
  private final LeaseGrants grants;
  private final WakeKeys wakes;
  private final String agentId;
  private final CoalescingTask rounds;
  private final RandomGenerator random;
  private final List<WorkerStream> streams = new ArrayList<>();
  private Optional<CompletableFuture<Void>> watch = Optional.empty();
  // Takers that have found nothing since the wake key was raised last.
  private final Set<LeaseGrants.Taker> drained = new HashSet<>();
  private final QueueFront front = new QueueFront();
  private int turn;

  QueuePump(
      KeyValueStore store,
      LeaseGrants grants,
      WakeKeys wakes,
      String agentId,
      Executor executor,
      RandomGenerator random) {
    this.store = store;
    this.grants = grants;
    this.wakes = wakes;
    this.agentId = agentId;
    this.rounds =
        new CoalescingTask(
            executor,
            this::round,
            failure ->
                FailureLog.warn(
                    log,
                    "Reading the queue of agent '" + agentId + "' failed; it is retried soon.",
                    failure));
    this.random = random;
  }

  synchronized void add(WorkerStream stream) {
    streams.add(stream);
    drained.remove(stream.taker());
  }

  synchronized void remove(WorkerStream stream) {
    streams.remove(stream);
    drained.remove(stream.taker());
    if (streams.isEmpty()) {
      drained.clear();
      watch.ifPresent(waiting -> waiting.cancel(false));
      watch = Optional.empty();
    }
  }

  /** Schedules a check for tasks to move, unless the queue is known to have none. */
  void poke() {
    rounds.schedule();
  }

  /** Schedules a check for tasks to move, whatever is known of the queue. */
  void lookAgain() {
    forgetDrained();
    poke();
  }

  private synchronized void forgetDrained() {
    drained.clear();
  }

  /**
   * Reserves a task of a worker that wants one, can access the workspace, and has found the queue
   * empty: a new task that it gets at once overtakes none. None of a worker that works on one task
   * of a session at a time, which its claims look at.
   */
  synchronized Optional<WorkerStream> reserve(String workspace) {
    return streams.stream()
        .filter(stream -> drained.contains(stream.taker()) && stream.taker().reaches(workspace))
        .filter(stream -> !stream.taker().onePerSession())
        .max(Comparator.comparingInt(WorkerStream::want))
        .filter(stream -> stream.reserve(1) == 1);
  }

  private boolean round() {
    List<QueuedTask> candidates = List.of();
    Set<Set<String>> lookedFor = new HashSet<>();
    Optional<WorkerStream> next = next(lookedFor);
    while (candidates.isEmpty() && next.isPresent()) {
      candidates = look(next.get().taker());
      if (candidates.isEmpty()) {
        lookedFor.add(next.get().taker().workspaces());
        next = next(lookedFor);
      }
    }
    return next.isPresent() && move(next.get(), candidates);
  }

  private boolean move(WorkerStream stream, List<QueuedTask> candidates) {
    int wanted = stream.reserve(CLAIM);
    LeaseGrants.Claimed claimed = claim(stream, pick(candidates, wanted), wanted);
    List<TaskLease> undelivered =
        claimed.leases().stream().filter(lease -> !stream.sendLease(lease)).toList();
    undelivered.forEach(lease -> grants.takeBack(stream.taker(), lease));
    stream.release(undelivered.size()); // One that has much to read goes on wanting them.
    claimed.refused().forEach(task -> grants.refuse(stream.taker(), task));
    return claimed.leases().size() > undelivered.size();
  }

  /** Claims candidates for a stream, and gives up what was reserved for more than it gets. */
  private LeaseGrants.Claimed claim(WorkerStream stream, List<QueuedTask> picked, int reserved) {
    int granted = 0;
    try {
      LeaseGrants.Claimed claimed = grants.claim(stream.taker(), picked);
      granted = claimed.leases().size();
      return claimed;
    } finally {
      stream.release(reserved - granted);
    }
  }

  /**
   * Picks as many as are wanted, from a random offset, since other processes may claim the same
   * ones.
   */
  private List<QueuedTask> pick(List<QueuedTask> candidates, int wanted) {
    List<QueuedTask> picked = new ArrayList<>(candidates);
    if (picked.size() > wanted) {
      Collections.rotate(picked, -random.nextInt(picked.size()));
    }
    return picked.subList(0, Math.min(wanted, picked.size()));
  }

  /** Returns queued tasks; if there are none, watches the wake key from the same version on. */
  private List<QueuedTask> look(LeaseGrants.Taker taker) {
    try (Transaction tr = store.begin(TransactionOptions.DEFAULT)) {
      List<QueuedTask> found = grants.candidates(tr.snapshot(), taker, front);
      if (found.isEmpty()) {
        CompletableFuture<Void> waiting = wakes.watch(tr, wakes.ofQueue(agentId));
        tr.commit();
        watching(waiting, taker);
      }
      return found;
    }
  }

  /** Keeps one watch: an older one also sees what was queued before this one began. */
  private synchronized void watching(CompletableFuture<Void> waiting, LeaseGrants.Taker taker) {
    if (streams.stream().noneMatch(stream -> stream.taker().equals(taker))) {
      waiting.cancel(false);
      return;
    }
    drained.add(taker);
    if (watch.filter(before -> !before.isDone()).isPresent()) {
      waiting.cancel(false);
      return;
    }
    watch = Optional.of(waiting);
    var unused =
        waiting.whenComplete(
            (done, failure) -> {
              if (failure == null) {
                lookAgain();
              } else {
                forgetDrained();
              }
            });
  }

  /**
   * Returns the next stream that wants tasks, skipping those with the same workspaces as one for
   * which nothing was found.
   */
  private synchronized Optional<WorkerStream> next(Set<Set<String>> lookedFor) {
    for (int i = 0; i < streams.size(); i++) {
      turn = (turn + 1) % streams.size();
      WorkerStream stream = streams.get(turn);
      if (stream.want() > 0
          && !drained.contains(stream.taker())
          && !lookedFor.contains(stream.taker().workspaces())) {
        return Optional.of(stream);
      }
    }
    return Optional.empty();
  }
}
