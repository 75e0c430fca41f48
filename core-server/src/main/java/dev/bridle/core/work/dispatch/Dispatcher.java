package dev.bridle.core.work.dispatch;

import dev.bridle.core.work.task.DirectLeases;
import dev.bridle.core.work.task.RunningWorkers;
import dev.bridle.core.work.task.TaskInbox;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.WakeKeys;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Tracks the lease streams of this process, and pumps each queue to its streams. */
final class Dispatcher implements RunningWorkers {
  private final KeyValueStore store;
  private final LeaseGrants grants;
  private final TaskStore tasks;
  private final WakeKeys wakes;
  private final Executor executor;
  private final RandomGenerator random;
  private final Map<Queue, QueuePump> pumps = new ConcurrentHashMap<>();
  private final Set<WorkerStream> streams = ConcurrentHashMap.newKeySet();

  Dispatcher(
      KeyValueStore store,
      LeaseGrants grants,
      TaskStore tasks,
      WakeKeys wakes,
      Executor executor,
      RandomGenerator random) {
    this.store = store;
    this.grants = grants;
    this.tasks = tasks;
    this.wakes = wakes;
    this.executor = executor;
    this.random = random;
  }

  private record Queue(String tenant, String agentId) {}

  void add(WorkerStream stream) {
    streams.add(stream);
    pump(stream).add(stream);
  }

  void remove(WorkerStream stream) {
    stream.markClosed();
    streams.remove(stream);
    pump(stream).remove(stream);
  }

  void poke(WorkerStream stream) {
    if (stream.taker().onePerSession()) {
      // The end of a task frees its session for the next one, which was queued before.
      pump(stream).lookAgain();
    } else {
      pump(stream).poke();
    }
  }

  /** Polls every queue, in case a watch was missed. */
  void pokeAll() {
    pumps.values().forEach(QueuePump::lookAgain);
  }

  @Override
  public DirectLeases.Offer offer(String tenant) {
    return streams.isEmpty() ? DirectLeases.Offer.NONE : new DirectOffer(this, grants, tenant);
  }

  /**
   * Reserves a task of a worker that waits for tasks of an agent and can access the workspace;
   * empty if there is none, or if other tasks may be queued before.
   */
  Optional<WorkerStream> reserve(String tenant, String agentId, String workspace) {
    return Optional.ofNullable(pumps.get(new Queue(tenant, agentId)))
        .flatMap(pump -> pump.reserve(workspace));
  }

  /** Ends all streams. */
  void close() {
    streams.forEach(WorkerStream::close);
  }

  @Override
  public void cancelRequested(String tenant, String task) {
    holders(tenant, task, record -> true, (stream, fence) -> stream.cancel(task, fence));
  }

  @Override
  public void messageSent(String tenant, String task) {
    holders(tenant, task, TaskInbox::waits, (stream, fence) -> stream.message(task, fence));
  }

  /** Notifies the streams that may hold the lease of a task, if there is something to tell. */
  private void holders(
      String tenant,
      String task,
      Predicate<TaskRecord> toTell,
      ObjLongConsumer<WorkerStream> notice) {
    store
        .read(tr -> tasks.find(tr, tenant, task))
        .filter(toTell)
        .map(TaskRecord::getLease)
        .ifPresent(
            lease ->
                streams.stream()
                    .filter(stream -> stream.taker().tenant().equals(tenant))
                    .filter(stream -> holds(stream.taker(), lease))
                    .forEach(stream -> notice.accept(stream, lease.getFence())));
  }

  /**
   * The notice contains the fencing token: a stream of another actor with the same worker id must
   * not get it.
   */
  private static boolean holds(LeaseGrants.Taker taker, Lease lease) {
    return taker.workerId().equals(lease.getWorkerId()) && taker.actor().equals(lease.getActor());
  }

  private QueuePump pump(WorkerStream stream) {
    return pumps.computeIfAbsent(
        new Queue(stream.taker().tenant(), stream.taker().agentId()),
        queue -> new QueuePump(store, grants, wakes, queue.agentId(), executor, random));
  }
}
