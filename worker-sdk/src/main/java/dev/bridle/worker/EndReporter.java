package dev.bridle.worker;

import dev.bridle.api.v1.Failure;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Role;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.FailTaskRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to the core how a task, or one attempt, ended. */
final class EndReporter {
  private static final Logger log = LoggerFactory.getLogger(EndReporter.class);
  private static final int MAX_FAILURE_MESSAGE = 2000;

  private final LeaseHold hold;
  private final CoreCalls calls;

  EndReporter(LeaseHold hold, CoreCalls calls) {
    this.hold = hold;
    this.calls = calls;
  }

  void report(Ending ending) {
    try {
      if (ending instanceof Ending.Done done) {
        complete(done.result());
      } else if (ending instanceof Ending.Failed failed) {
        fail(failed.failure(), failed.retryable());
      }
    } catch (CallRefused e) {
      if (hold.stop() != LeaseHold.Stop.CANCEL) {
        throw e;
      }
      // The cancellation was requested while the report was in flight, and was applied first.
      acknowledgeCancel();
    }
  }

  void acknowledgeCancel() {
    AcknowledgeCancelRequest request =
        AcknowledgeCancelRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setFence(hold.fence())
            .build();
    calls.call(hold, core -> core.acknowledgeCancel(request));
  }

  private void complete(TaskResult result) {
    CompleteTaskRequest.Builder request =
        CompleteTaskRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setFence(hold.fence())
            .setSummary(result.summary())
            .addAllArtifactIds(result.artifactIds());
    result.cost().ifPresent(cost -> request.setCost(Json.bytes(cost)));
    result.metrics().ifPresent(metrics -> request.setMetrics(Json.bytes(metrics)));
    if (!result.message().isEmpty()) {
      request.setMessage(
          MessageInput.newBuilder().setRole(Role.ROLE_AGENT).addAllParts(result.message()));
    }
    CompleteTaskRequest sent = request.build();
    try {
      calls.call(hold, core -> core.completeTask(sent));
    } catch (CallRefused e) {
      if (!e.isInvalidRequest() || hold.stop() == LeaseHold.Stop.CANCEL) {
        throw e;
      }
      log.warn("Task {}: the core rejected its result: {}", hold.taskId(), e.getMessage());
      fail(
          Failure.newBuilder()
              .setCode("invalid_result")
              .setMessage("the agent's result was rejected: " + e.getMessage())
              .build(),
          false);
    }
  }

  private void fail(Failure failure, boolean retryable) {
    String message = failure.getMessage();
    if (message.length() > MAX_FAILURE_MESSAGE) {
      message = message.substring(0, MAX_FAILURE_MESSAGE) + "…";
    }
    FailTaskRequest request =
        FailTaskRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setFence(hold.fence())
            .setFailure(failure.toBuilder().setMessage(message))
            .setRetryable(retryable)
            .build();
    calls.call(hold, core -> core.failTask(request));
  }
}
