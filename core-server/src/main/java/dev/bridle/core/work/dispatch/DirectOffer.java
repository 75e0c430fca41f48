package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.work.task.DirectLeases;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskOrBuilder;
import dev.bridle.worker.v1.TaskLease;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers a task that is being submitted to the workers of this process. A worker's place is
 * reserved once and kept for all attempts of the transaction, so that no worker gets more tasks
 * than it wants.
 */
final class DirectOffer implements DirectLeases.Offer {
  private static final Logger log = LoggerFactory.getLogger(DirectOffer.class);

  private final Dispatcher dispatcher;
  private final LeaseGrants grants;
  private final String tenant;
  private Optional<String> claim = Optional.empty();
  private Optional<WorkerStream> reserved = Optional.empty();
  private Optional<String> folder = Optional.empty();
  private Optional<TaskLease> lease = Optional.empty();

  DirectOffer(Dispatcher dispatcher, LeaseGrants grants, String tenant) {
    this.dispatcher = dispatcher;
    this.grants = grants;
    this.tenant = tenant;
  }

  @Override
  public boolean grant(TaskChange change) {
    lease = Optional.empty();
    TaskOrBuilder task = change.task();
    if (reserved.filter(stream -> takes(stream, task)).isEmpty()) {
      close();
      reserved = dispatcher.reserve(tenant, task.getAssignedAgentId(), task.getWorkspaceId());
    }
    if (reserved.isEmpty()) {
      return false;
    }
    folder = grants.folder(change.write(), task.getWorkspaceId());
    return grants.grantNew(change, reserved.get().taker(), claim());
  }

  private String claim() {
    if (claim.isEmpty()) {
      claim = Optional.of(grants.newClaim());
    }
    return claim.get();
  }

  /** Returns whether the worker of an earlier attempt may take the task of this one. */
  private static boolean takes(WorkerStream stream, TaskOrBuilder task) {
    return stream.taker().agentId().equals(task.getAssignedAgentId())
        && stream.taker().reaches(task.getWorkspaceId());
  }

  @Override
  public void granted(Task task, TaskRecord record) {
    lease = Optional.of(grants.lease(task, record, folder, false));
  }

  @Override
  public void deliver(Task applied) {
    Optional<TaskLease> granted =
        lease.filter(one -> one.getTask().getId().equals(applied.getId()));
    if (granted.isPresent()) {
      WorkerStream stream = reserved.orElseThrow();
      reserved = Optional.empty();
      send(stream, granted.get());
    }
  }

  /** Sends a lease, or takes it back. The task is submitted either way, so no failure is thrown. */
  private void send(WorkerStream stream, TaskLease granted) {
    try {
      if (!stream.sendLease(granted)) {
        grants.takeBack(stream.taker(), granted);
        stream.release(1);
      }
    } catch (RuntimeException e) {
      FailureLog.warn(log, "A lease could not be delivered; it ends by its time.", e);
    }
  }

  @Override
  public void close() {
    reserved.ifPresent(
        stream -> {
          stream.release(1);
          // What was queued meanwhile found no worker that waits.
          dispatcher.poke(stream);
        });
    reserved = Optional.empty();
  }
}
