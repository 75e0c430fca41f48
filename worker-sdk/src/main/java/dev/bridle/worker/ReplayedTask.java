package dev.bridle.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.UsedSecret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The context of a handler in a replay. What is not recorded is not there: what was said in the
 * session, its state, and messages of the user to the running task.
 */
final class ReplayedTask extends LeasedTask {
  private final ReplayedSteps steps;

  ReplayedTask(
      TaskLease lease,
      TaskCalls calls,
      ReplayedSteps steps,
      Asking asking,
      Inbox inbox,
      Predicate<TaskResult> completion) {
    super(asItWas(lease), calls, steps, asking, inbox, completion);
    this.steps = steps;
  }

  private static TaskLease asItWas(TaskLease lease) {
    return lease.toBuilder()
        .setTask(lease.getReplay().getTask())
        .setAttempt(lease.getReplay().getAttempt())
        .setTraceId(lease.getReplay().getTraceId())
        .clearHasMessages()
        .build();
  }

  /** What a computation has reported took numbers too, and is not reported again. */
  @Override
  String nextProgressKey() {
    if (isWithinValue()) {
      return "progress";
    }
    String key = super.nextProgressKey();
    while (steps.isWithinValue(key)) {
      key = super.nextProgressKey();
    }
    return key;
  }

  /** Returns whether this thread computes a value anew. */
  private boolean isWithinValue() {
    return !steps.parent().isEmpty();
  }

  @Override
  public Decision requestPermission(String stepKey, Permission permission) {
    var unused = steps.take(stepKey, Set.of(ResultCase.PERMISSION));
    return recorded(
        stepKey,
        "step " + stepKey + ": requested for another action, or not decided",
        () -> super.requestPermission(stepKey, permission));
  }

  @Override
  public HostResult hostTool(String stepKey, HostTool tool) {
    return recorded(
        stepKey,
        "step " + stepKey + ": requested for another tool call",
        () -> super.hostTool(stepKey, tool));
  }

  /** Returns what the core answers from the record; it says `conflict` where that differs. */
  private <T> T recorded(String stepKey, String what, Supplier<T> call) {
    try {
      return call.get();
    } catch (CallRefused e) {
      if (e.code() == ErrorCode.ERROR_CODE_CONFLICT) {
        throw steps.conflict(stepKey, what);
      }
      throw e.code() == ErrorCode.ERROR_CODE_PERMISSION_DENIED
          ? steps.unavailable("step " + stepKey + ": " + e.getMessage())
          : e;
    }
  }

  @Override
  public String secret(String vaultId, String name) {
    throwIfCancelled();
    try {
      UseSecretResponse response = use(vaultId, name);
      UsedSecret used = response.getSecret();
      var unused =
          steps.take(
              "secret:" + used.getVaultId() + "/" + used.getName(), Set.of(ResultCase.SECRET));
      return response.getValue();
    } catch (CallRefused e) {
      throw missing(e, "secret:" + name);
    }
  }

  /** That content is too large is so in each run. */
  @Override
  public byte[] download(String artifactId, int maxBytes) {
    try {
      return super.download(artifactId, maxBytes);
    } catch (CallRefused e) {
      if (e.code() == ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE) {
        throw e;
      }
      throw missing(e, "host:artifact:" + artifactId);
    }
  }

  private RuntimeException missing(CallRefused refused, String what) {
    steps.throwIfOver();
    return refused.isTransient() || refused.isServerError()
        ? refused
        : steps.unavailable(what + ": " + refused.getMessage());
  }

  @Override
  public List<SaidMessage> transcript(int limit) {
    throw steps.unavailable("host:transcript: what was read of it is not recorded");
  }

  @Override
  public Optional<byte[]> sessionState() {
    throw steps.unavailable("host:session_state: what it was is not recorded");
  }

  @Override
  public void keepSessionState(byte[] kept) {}

  @Override
  public boolean withdraw(String stepKey) {
    return false;
  }

  @Override
  public ChangedQuestion change(String stepKey) {
    return ChangedQuestion.UNCHANGED;
  }

  @Override
  public boolean divergeByName(
      String stepKey,
      String questionStepKey,
      String title,
      ObjectNode difference,
      String toolName) {
    return false;
  }

  @Override
  public void onMessage(Runnable listener) {}

  @Override
  public Optional<SentMessage> nextMessage() {
    return Optional.empty();
  }

  @Override
  public List<SentMessage> takenMessages() {
    return List.of();
  }

  @Override
  public boolean cancelled() {
    return super.cancelled() || steps.isOver();
  }

  @Override
  public void throwIfCancelled() {
    super.throwIfCancelled();
    steps.throwIfOver();
  }

  @Override
  public void pause(Duration time) {
    if (isWithinValue()) {
      super.pause(time);
    } else {
      throwIfCancelled();
    }
  }
}
