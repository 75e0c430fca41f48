package dev.bridle.core.work.hosttool;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.EndingPart;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.record.v1.HostCall;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.RequestInputRequest;
import java.time.Duration;

/**
 * The one tool call that a task waits with: the task keeps it, and the due index looks at the task
 * when its time is over. Both hold as long as it has no result, and no longer.
 */
public final class HostCalls implements EndingPart {
  /** The member of a tool event that names who runs the tool; only the core gives it. */
  public static final String MEDIATED_BY = "mediated_by";

  private static final String HOST = "host";
  private static final Duration USUAL_TIME = Duration.ofHours(24);

  private final DueIndex due;

  public HostCalls(DueIndex due) {
    this.due = due;
  }

  /** Has the task wait with a call, and tells clients that they are asked. */
  public HostCall open(TaskChange change, RequestInputRequest request) {
    HostToolCall asked = request.getToolCall();
    long time = asked.hasTimeout() ? Durations.toMillis(asked.getTimeout()) : USUAL_TIME.toMillis();
    HostCall call =
        HostCall.newBuilder()
            .setToolCallId(change.write().id("call"))
            .setName(asked.getName())
            .setExpiresAt(change.write().nowMillis() + Math.max(1, time))
            .build();
    change.waitForHostCall(call);
    due.schedule(change.write().tr(), entry(change, call));
    change.emit(
        EventDraft.of(
            EventKinds.TOOL_REQUESTED,
            facts(call, request.getStepKey())
                .json("input", asked.getInput())
                .text("prompt", request.getPrompt())
                .text("side_effect", asked.getSideEffect())
                .text(
                    "expires_at",
                    Timestamps.toString(Timestamps.fromMillis(call.getExpiresAt())))));
    return call;
  }

  /** Has the task wait with its call no more. */
  void close(TaskChange change) {
    due.cancel(change.write().tr(), entry(change, change.record().getHostCall()));
    change.clearHostCall();
  }

  @Override
  public void taskEnds(TaskChange change) {
    if (change.record().hasHostCall()) {
      tellUnanswered(change, "task_ended");
      close(change);
    }
  }

  /** Has the due index look at the call of a task that was imported and is taken over. */
  public void takeOver(TaskChange change) {
    if (change.record().hasHostCall()) {
      due.schedule(change.write().tr(), entry(change, change.record().getHostCall()));
    }
  }

  /** Tells that nobody answers the call of a task. */
  void tellUnanswered(TaskChange change, String reason) {
    change.emit(
        EventDraft.of(
            EventKinds.TOOL_FAILED,
            facts(change.record().getHostCall(), change.record().getQuestionStepKey())
                .text("reason", reason)));
  }

  /** Returns what tells a call from others. */
  static Payload facts(HostCall call, String stepKey) {
    return Payload.of()
        .text("tool_call_id", call.getToolCallId())
        .text("name", call.getName())
        .text(MEDIATED_BY, HOST)
        .text("step_key", stepKey);
  }

  private static DueEntry entry(TaskChange change, HostCall call) {
    return new DueEntry(
        call.getExpiresAt(), DueKind.HOST_TOOL, change.write().tenant(), change.id());
  }
}
