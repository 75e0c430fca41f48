package dev.bridle.core.work.dispatch;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.permission.RecordedDecisions;
import dev.bridle.core.work.replay.HandlerReplays;
import dev.bridle.core.work.replay.OriginEnd;
import dev.bridle.core.work.replay.OriginRun;
import dev.bridle.core.work.replay.OverriddenRun;
import dev.bridle.core.work.replay.SecretOverrides;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.vault.OpenedSecret;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Answers the worker of a replay whose handler runs: from what its origin has recorded, and never
 * from anywhere else. What the record does not have is a {@code conflict}.
 */
final class ReplayedCalls {
  /** The code of a replay that lacks something. */
  static final String UNAVAILABLE = "replay_unavailable";

  private static final String DIVERGED = "replay_diverged";

  /** What a worker may say of the replay itself, rather than of how its handler ends. */
  private static final Set<String> BROKEN = Set.of(DIVERGED, UNAVAILABLE);

  private static final int MOST_SAID = 1000;

  private final KeyValueStore store;
  private final TaskStore tasks;
  private final OriginRun origin;
  private final OriginEnd end;
  private final RecordedDecisions decisions;
  private final TaskEndings endings;
  private final OverriddenRun run;

  ReplayedCalls(CoreContext context, TaskStore tasks, TaskEndings endings) {
    this.store = context.store();
    this.tasks = tasks;
    this.origin = new OriginRun(context, tasks);
    this.end = new OriginEnd(context);
    this.decisions = new RecordedDecisions(context);
    this.endings = endings;
    this.run = new OverriddenRun(context);
  }

  /** Returns what runs with replaced values do. */
  OverriddenRun run() {
    return run;
  }

  /** Returns the reads of the recorded run. */
  OriginRun origin() {
    return origin;
  }

  /** Compares without a write; empty if what differs has to be recorded for the replay. */
  Optional<CompareStepsResponse> compare(Caller caller, CompareStepsRequest request) {
    if (request.getReportsCount() > 1) {
      LeaseCalls.checkSize(request.getReportsList());
    }
    return store.read(
        tr -> {
          TaskRecord replay = tasks.need(tr, caller, request.getTaskId());
          Fences.needHeld(replay, caller, request.getFence());
          HandlerReplays.need(replay);
          return OverriddenRun.is(replay)
              ? Optional.empty()
              : Optional.of(origin.compare(tr, caller.tenant(), replay, request.getReportsList()));
        });
  }

  /**
   * Decides as it was decided. What is computed anew really acts, so nothing is allowed by what was
   * allowed once.
   */
  RequestPermissionResponse permission(TaskChange change, RequestPermissionRequest request) {
    RequestPermissionResponse decided = recorded(change, request);
    if (change.task().getReplay().getRefreshKeysCount() > 0
        && decided.getVerdict() == PermissionVerdict.PERMISSION_VERDICT_ALLOWED) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "An approval is for one use, and this replay computes values anew.")
          .with("step_key", request.getStepKey());
    }
    return decided;
  }

  private RequestPermissionResponse recorded(TaskChange change, RequestPermissionRequest request) {
    ReadTransaction tr = change.write().tr();
    String tenant = change.write().tenant();
    return step(change, request.getStepKey())
        .filter(record -> record.getStep().hasPermission())
        .flatMap(
            record ->
                decisions.of(
                    tr,
                    tenant,
                    origin.of(tr, tenant, change.before()).getTask(),
                    record.getStep().getPermission(),
                    request))
        .orElseThrow(() -> notRecorded(request.getStepKey()));
  }

  /** Answers a question, or a tool call as if it was asked again. */
  RequestInputResponse input(TaskChange change, RequestInputRequest request) {
    StepRecord record =
        step(change, request.getStepKey()).orElseThrow(() -> notRecorded(request.getStepKey()));
    return switch (record.getStep().getResultCase()) {
      case ANSWER ->
          RequestInputResponse.newBuilder().setAnswer(record.getStep().getAnswer()).build();
      case TIMED_OUT -> RequestInputResponse.newBuilder().setTimedOut(true).build();
      case PERMISSION -> {
        if (!request.hasToolCall()) {
          throw notRecorded(request.getStepKey());
        }
        yield InputRequests.verdict(permission(change, InputRequests.action(request)));
      }
      default -> throw notRecorded(request.getStepKey());
    };
  }

  /** Checks that a secret is the one that was used then, or the one that replaces it. */
  void needSame(TaskChange change, OpenedSecret opened, String stepKey) {
    StepRecord used =
        step(change, stepKey)
            .filter(record -> record.getStep().hasSecret())
            .orElseThrow(() -> notRecorded(stepKey));
    Optional<StepRecord> replacing = run.own(change, stepKey).filter(StepRecord::hasReplaced);
    boolean isSame =
        replacing.isPresent()
            ? SecretOverrides.replaces(replacing.get(), used, opened.value())
            : Commitment.of(used.getSalt().toByteArray(), ByteString.copyFromUtf8(opened.value()))
                .equals(used.getCommitment());
    if (!isSame) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              replacing.isPresent()
                  ? "The secret has another value than the one whose hash the override has."
                  : "The secret has another value than the replayed task has used.")
          .with("step_key", stepKey);
    }
  }

  private Optional<StepRecord> step(TaskChange change, String stepKey) {
    return origin.step(change.write().tr(), change.write().tenant(), change.before(), stepKey);
  }

  private static ProtocolException notRecorded(String stepKey) {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT,
            "The replayed task has recorded no such step, or with another content.")
        .with("step_key", stepKey);
  }

  /** Ends the run of a handler that completes its task. */
  void completed(
      TaskChange change, CompleteTaskRequest request, Supplier<TaskEndings.Result> result) {
    ReadTransaction tr = change.write().tr();
    String tenant = change.write().tenant();
    Optional<String> difference =
        end.difference(tr, tenant, origin.of(tr, tenant, change.before()), request);
    if (OverriddenRun.is(change.before())) {
      run.completed(change, result.get(), difference);
      replayLog(change);
    } else {
      goOn(change, difference);
    }
  }

  /** Ends the run of a handler that fails its task, or of which the worker says what differs. */
  void failed(TaskChange change, Failure failure) {
    if (BROKEN.contains(failure.getCode())) {
      broken(
          change,
          Failure.newBuilder()
              .setCode(failure.getCode())
              .setMessage(cut(failure.getMessage()))
              .build());
      return;
    }
    Optional<String> difference =
        end.difference(
            origin.of(change.write().tr(), change.write().tenant(), change.before()), failure);
    if (OverriddenRun.is(change.before())) {
      run.failed(change, failure, difference);
      replayLog(change);
    } else {
      goOn(change, difference);
    }
  }

  private static String cut(String message) {
    return message.codePointCount(0, message.length()) <= MOST_SAID
        ? message
        : message.substring(0, message.offsetByCodePoints(0, MOST_SAID)) + "…";
  }

  /** Goes on unless the end differs. */
  private void goOn(TaskChange change, Optional<String> difference) {
    if (difference.isPresent()) {
      broken(
          change,
          Failure.newBuilder()
              .setCode(DIVERGED)
              .setMessage("The handler has ended otherwise: " + difference.get() + " differs.")
              .build());
      return;
    }
    replayLog(change);
  }

  /** Lets the server's own agent replay the log. */
  private void replayLog(TaskChange change) {
    change.freeLease();
    if (change.record().getCancelRequestedAt() != 0) {
      endings.cancel(change);
      return;
    }
    change.forgetLostAttempts();
    change.bindAgent(OwnAgents.REPLAY);
    change.enqueue("", 0);
  }

  /** Fails a replay, and emits why. */
  void broken(TaskChange change, Failure failure) {
    change.emit(
        EventDraft.of(
            EventKinds.REPLAY_FAILED,
            Payload.of().text("code", failure.getCode()).text("what", failure.getMessage())));
    endings.fail(change, failure);
  }
}
