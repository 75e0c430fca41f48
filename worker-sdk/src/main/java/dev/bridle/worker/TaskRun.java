package dev.bridle.worker;

import dev.bridle.worker.v1.TaskLease;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a handler under a lease, then reports its result to the core. */
final class TaskRun implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(TaskRun.class);

  private final TaskLease lease;
  private final LeaseHold hold;
  private final TaskCalls calls;
  private final TaskHandler handler;
  private final RunningTasks desk;
  private final Inbox inbox;
  private boolean completed;
  private Optional<ReplayedSteps> replayed = Optional.empty();
  private Optional<TaskResult> kept = Optional.empty();
  private boolean isCoreFailure;

  TaskRun(
      TaskLease lease, CoreCalls core, ReportTimer timer, TaskHandler handler, RunningTasks desk) {
    this.lease = lease;
    this.hold = new LeaseHold(lease, System.nanoTime());
    this.calls =
        new TaskCalls(
            hold,
            core,
            new ReportBuffer(
                hold, new ReportCalls(hold, core)::send, timer, lease.getMaxEarlierReports()));
    this.inbox = new Inbox(hold, core, lease.getHasMessages());
    this.handler = handler;
    this.desk = desk;
  }

  LeaseHold hold() {
    return hold;
  }

  Inbox inbox() {
    return inbox;
  }

  /**
   * Completes the task while its handler runs, unless messages of the user wait. Returns whether it
   * has ended.
   */
  private boolean complete(TaskResult result) {
    if (!completed) {
      hold.throwIfStopped();
      var unused = hold.finish();
      completed = new EndReporter(calls).complete(result, inbox.takenThrough());
      if (!completed) {
        hold.begin();
        inbox.notice(hold.fence());
        hold.throwIfStopped();
      }
    }
    return completed;
  }

  /** Resumes a parked handler with a new lease. */
  boolean resume(TaskLease newLease) {
    // First, since the handler may report as soon as it goes on.
    calls.reports().acceptedByCore(newLease.getMaxEarlierReports());
    boolean resumed = hold.resume(newLease, System.nanoTime());
    if (resumed && newLease.getHasMessages()) {
      inbox.notice(newLease.getFence());
    }
    return resumed;
  }

  private void leaveSlot() {
    hold.leaveSlot();
    desk.slotFreed();
  }

  @Override
  public void run() {
    hold.begin();
    try {
      Ending ending = handle();
      calls.reports().close();
      Stop stop = hold.finish();
      if (!completed) {
        report(stop, stop == Stop.NONE ? replayed(ending) : ending);
      }
    } catch (TaskCancelled e) {
      log.info("Task {}: its lease was lost before its result could be reported", hold.taskId());
    } catch (CallRefused e) {
      log.warn("Task {}: the core rejected its result: {}", hold.taskId(), e.getMessage());
    } catch (RuntimeException e) {
      log.error("Task {}: its result could not be reported", hold.taskId(), e);
    } finally {
      calls.reports().close();
      int unsent = calls.reports().size();
      if (unsent > 0) {
        log.info("Task {}: {} of its reports were not sent", hold.taskId(), unsent);
      }
      desk.ended(this, hold.end());
    }
  }

  private Ending handle() {
    try {
      hold.throwIfStopped();
      StepLog steps = lease.hasReplay() ? replayedSteps() : recordingSteps();
      AnswerWait pause = new AnswerWait(hold, this::leaveSlot);
      Questions questions = new Questions(calls, steps, pause);
      Permissions permissions = new Permissions(calls, pause);
      HostTools hostTools = new HostTools(calls, steps, pause);
      Asking asking = new Asking(questions, permissions, hostTools);
      TaskContext context =
          replayed.isPresent()
              ? new ReplayedTask(lease, calls, replayed.get(), asking, inbox, this::keep)
              : new LeasedTask(lease, calls, steps, asking, inbox, this::complete);
      TaskResult result = handler.handle(context);
      return result == null
          ? Ending.failed("handler_error", "the handler returned no result", true)
          : new Ending.Done(result);
    } catch (TaskFailure e) {
      log.info("Task {}: failed with {}: {}", hold.taskId(), e.code(), e.getMessage());
      log.debug("Task {}: failed here", hold.taskId(), e);
      return Ending.failed(e.code(), Optional.ofNullable(e.getMessage()).orElse(e.code()), false);
    } catch (Throwable e) {
      return stopped(e);
    }
  }

  private StepLog recordingSteps() {
    RecordingSteps steps = new RecordingSteps(calls);
    if (lease.getRerun() || lease.getResumed()) {
      steps.load(handler.keysOfOneRun());
    }
    return steps;
  }

  private StepLog replayedSteps() {
    ReplayedSteps steps = new ReplayedSteps(calls, lease.getReplay());
    steps.load();
    replayed = Optional.of(steps);
    return steps;
  }

  /** In a replay, the core is asked once the handler has ended. */
  private boolean keep(TaskResult result) {
    kept = kept.or(() -> Optional.of(result));
    replayed.ifPresent(ReplayedSteps::close);
    return true;
  }

  /**
   * Returns how a replay ends: by its first difference; as it was stopped; or as its handler ends,
   * which is no attempt of a task.
   */
  private Ending replayed(Ending ending) {
    if (replayed.isEmpty()) {
      return ending;
    }
    Optional<ReplayBroken> broken;
    try {
      broken = isCoreFailure ? replayed.get().first() : replayed.get().finish();
    } catch (CallRefused e) {
      return Ending.failed("core_unreachable", e.getMessage(), true);
    }
    if (broken.isPresent()) {
      return Ending.failed(broken.get().code(), broken.get().getMessage(), false);
    }
    if (kept.isPresent()) {
      return new Ending.Done(kept.get());
    }
    if (replayed.get().isOver()) {
      return new Ending.Done(TaskResult.of("Stopped as the replayed task was."));
    }
    return ending instanceof Ending.Failed failed && !isCoreFailure
        ? new Ending.Failed(failed.failure(), false)
        : ending;
  }

  private Ending stopped(Throwable thrown) {
    Stop stop = hold.stop();
    isCoreFailure =
        thrown instanceof CallRefused refused && (refused.isTransient() || refused.isServerError());
    // Another attempt would skip the recorded step that made the report, and complete without it.
    boolean retryable = !CallRefused.isOfRejectedReport(thrown);
    if (stop == Stop.CLOSING && retryable) {
      return Ending.failed("worker_stopped", "the worker was stopped before the task ended", true);
    }
    if (stop == Stop.NONE) {
      log.warn("Task {}: attempt {} failed", hold.taskId(), lease.getAttempt(), thrown);
    }
    String said = thrown.getMessage() == null ? "" : ": " + thrown.getMessage();
    return Ending.failed("handler_error", thrown.getClass().getSimpleName() + said, retryable);
  }

  private void report(Stop stop, Ending ending) {
    EndReporter end = new EndReporter(calls);
    switch (stop) {
      case RELEASED -> log.debug("Task {}: waits for an answer", hold.taskId());
      case LOST -> log.warn("Task {}: its lease was lost, its handler has ended", hold.taskId());
      case CANCEL -> end.acknowledgeCancel();
      case NONE, CLOSING -> end.report(ending);
    }
  }
}
