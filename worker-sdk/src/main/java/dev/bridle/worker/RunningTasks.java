package dev.bridle.worker;

import dev.bridle.worker.v1.CancelNotice;
import dev.bridle.worker.v1.MessageNotice;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manages the running tasks of a worker: accepts leases, starts handlers, forwards cancellations,
 * and frees the slots of ended handlers.
 */
final class RunningTasks {
  private static final Logger log = LoggerFactory.getLogger(RunningTasks.class);

  private final TaskHandler handler;
  private final CoreCalls calls;
  private final ReportTimer reportTimer;
  private final ExecutorService pool;
  private final Runnable onSlotFreed;
  private final Map<String, TaskRun> current = new ConcurrentHashMap<>();
  private final Set<TaskRun> alive = ConcurrentHashMap.newKeySet();

  RunningTasks(
      TaskHandler handler,
      CoreCalls calls,
      ReportTimer reportTimer,
      ExecutorService pool,
      Runnable onSlotFreed) {
    this.handler = handler;
    this.calls = calls;
    this.reportTimer = reportTimer;
    this.pool = pool;
    this.onSlotFreed = onSlotFreed;
  }

  Collection<TaskRun> alive() {
    return alive;
  }

  /** Starts the handler for a lease, or resumes the parked one. */
  void accept(TaskLease lease) {
    String taskId = lease.getTask().getId();
    TaskRun before = current.get(taskId);
    if (before != null) {
      if (lease.getResumed() && before.resume(lease)) {
        return;
      }
      before.hold().stop(Stop.LOST);
    }
    TaskRun run = new TaskRun(lease, calls, reportTimer, handler, this);
    alive.add(run);
    current.put(taskId, run);
    try {
      pool.execute(run);
    } catch (RejectedExecutionException e) {
      log.debug("Task {}: received after the worker was closed", taskId);
      ended(run, 1);
    }
  }

  void cancel(CancelNotice notice) {
    TaskRun run = current.get(notice.getTaskId());
    if (run != null && run.hold().cancel(notice.getFence())) {
      log.info("Task {}: its cancellation was requested", notice.getTaskId());
    }
  }

  void message(MessageNotice notice) {
    TaskRun run = current.get(notice.getTaskId());
    if (run != null) {
      run.inbox().notice(notice.getFence());
    }
  }

  void slotFreed() {
    onSlotFreed.run();
  }

  void ended(TaskRun run, int slots) {
    current.remove(run.hold().taskId(), run);
    alive.remove(run);
    for (int i = 0; i < slots; i++) {
      onSlotFreed.run();
    }
    synchronized (this) {
      notifyAll();
    }
  }

  void stopAll(Stop reason) {
    alive.forEach(run -> run.hold().stop(reason));
  }

  /** Waits until no handler runs; returns false on a timeout. */
  synchronized boolean awaitIdle(Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    long left = time.toNanos();
    while (!alive.isEmpty() && left > 0) {
      wait(Math.max(1, left / 1_000_000));
      left = deadline - System.nanoTime();
    }
    return alive.isEmpty();
  }
}
