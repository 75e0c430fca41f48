package dev.bridle.worker;

import dev.bridle.api.v1.Failure;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Role;
import dev.bridle.worker.ReportBuffer.OnRefusal;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.FailTaskRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the core how a task, or one attempt, ended. The call carries the handler's last
 * reports, in the same transaction.
 */
final class EndReporter {
  private static final Logger log = LoggerFactory.getLogger(EndReporter.class);
  private static final int MAX_FAILURE_MESSAGE = 2000;

  private final LeaseHold hold;
  private final TaskCalls calls;

  EndReporter(TaskCalls calls) {
    this.hold = calls.hold();
    this.calls = calls;
  }

  void report(Ending ending) {
    try {
      if (ending instanceof Ending.Done done) {
        // Messages that the handler has not taken do not hold up its end.
        var unused = complete(done.result(), Long.MAX_VALUE);
      } else if (ending instanceof Ending.Failed failed) {
        fail(failed);
      }
    } catch (CallRefused e) {
      if (hold.stop() != Stop.CANCEL) {
        throw e;
      }
      // The cancellation was requested while the report was in flight, and was applied first.
      acknowledgeCancel();
    }
  }

  void acknowledgeCancel() {
    AcknowledgeCancelRequest.Builder request =
        AcknowledgeCancelRequest.newBuilder().setTaskId(hold.taskId()).setFence(hold.fence());
    calls.carry(
        OnRefusal.LOG,
        (core, earlier) ->
            core.acknowledgeCancel(
                request.clearEarlierReports().addAllEarlierReports(earlier).build()));
  }

  /**
   * Completes the task, unless messages of the user wait that come after the ones that were taken.
   * Returns whether it has ended.
   */
  boolean complete(TaskResult result, long takenThrough) {
    CompleteTaskRequest.Builder request =
        CompleteTaskRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setFence(hold.fence())
            .setTakenThrough(takenThrough)
            .setSummary(result.summary())
            .setSessionIdle(result.sessionIdle())
            .addAllArtifactIds(result.artifactIds());
    result.cost().ifPresent(cost -> request.setCost(Json.bytes(cost)));
    result.metrics().ifPresent(metrics -> request.setMetrics(Json.bytes(metrics)));
    if (!result.message().isEmpty()) {
      request.setMessage(
          MessageInput.newBuilder().setRole(Role.ROLE_AGENT).addAllParts(result.message()));
    }
    try {
      return !calls
          .carry(
              (core, earlier) ->
                  core.completeTask(
                      request.clearEarlierReports().addAllEarlierReports(earlier).build()))
          .getMessagesWaiting();
    } catch (CallRefused e) {
      if (hold.stop() == Stop.CANCEL) {
        throw e;
      }
      if (e.stepKey().isPresent()) {
        // The handler returned before it could see this, so its result may rest on the report. If
        // that is part of a recorded step, the next run would skip it, and complete without it.
        log.warn("Task {}: {}", hold.taskId(), e.getMessage());
        fail(Ending.failed("handler_error", "CallRefused: " + e.getMessage(), !e.rejectsReport()));
        return true;
      }
      if (!e.isInvalidRequest()) {
        throw e;
      }
      log.warn("Task {}: the core rejected its result: {}", hold.taskId(), e.getMessage());
      fail(
          Ending.failed(
              "invalid_result", "the agent's result was rejected: " + e.getMessage(), false));
      return true;
    }
  }

  /** Fails the attempt; the task as well, if a report that the handler has not seen is rejected. */
  private void fail(Ending.Failed failed) {
    if (!failed.retryable()) {
      send(failed, OnRefusal.LOG);
      return;
    }
    try {
      send(failed, OnRefusal.THROW);
    } catch (CallRefused e) {
      if (e.stepKey().isEmpty() || hold.stop() == Stop.CANCEL) {
        throw e;
      }
      log.warn("Task {}: {}", hold.taskId(), e.getMessage());
      send(e.rejectsReport() ? withRejection(failed, e) : failed, OnRefusal.LOG);
    }
  }

  private static Ending.Failed withRejection(Ending.Failed failed, CallRefused e) {
    return Ending.failed(
        "handler_error", failed.failure().getMessage() + "; CallRefused: " + e.getMessage(), false);
  }

  private void send(Ending.Failed failed, OnRefusal onRefusal) {
    Failure failure = failed.failure();
    String message = failure.getMessage();
    if (message.length() > MAX_FAILURE_MESSAGE) {
      message = message.substring(0, MAX_FAILURE_MESSAGE) + "…";
    }
    FailTaskRequest.Builder request =
        FailTaskRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setFence(hold.fence())
            .setFailure(failure.toBuilder().setMessage(message))
            .setRetryable(failed.retryable());
    calls.carry(
        onRefusal,
        (core, earlier) ->
            core.failTask(request.clearEarlierReports().addAllEarlierReports(earlier).build()));
  }
}
