package dev.bridle.core.work.hosttool;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndListener;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.record.v1.HostCall;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.RequestInputRequest;
import java.time.Duration;

/**
 * Manages the one host tool call that a task waits for: it is stored in the task's record and has a
 * due entry for its timeout, both until it has a result.
 */
public final class HostCalls implements TaskEndListener {
  /** The member of a tool event that names who runs the tool; only the core sets it. */
  public static final String MEDIATED_BY = "mediated_by";

  /** How calls end, as receipts spell it. */
  static final String SUCCEEDED = "succeeded";

  static final String FAILED = "failed";
  static final String CANCELED = "canceled";

  private static final String HOST = "host";
  private static final Duration DEFAULT_TIMEOUT = Duration.ofHours(24);

  private final DueIndex due;

  public HostCalls(DueIndex due) {
    this.due = due;
  }

  /** Makes the task wait for a call, and emits the event that requests it from clients. */
  public HostCall open(TaskChange change, RequestInputRequest request) {
    HostToolCall tool = request.getToolCall();
    long time =
        tool.hasTimeout() ? Durations.toMillis(tool.getTimeout()) : DEFAULT_TIMEOUT.toMillis();
    HostCall call =
        HostCall.newBuilder()
            .setToolCallId(change.write().id("call"))
            .setName(tool.getName())
            .setExpiresAt(change.write().nowMillis() + Math.max(1, time))
            .build();
    due.schedule(change.write().tr(), entry(change, call));
    change.emit(
        EventDraft.of(
            EventKinds.TOOL_REQUESTED,
            facts(call, request.getStepKey())
                .json("input", tool.getInput())
                .text("prompt", request.getPrompt())
                .text("side_effect", tool.getSideEffect())
                .text(
                    "expires_at",
                    Timestamps.toString(Timestamps.fromMillis(call.getExpiresAt())))));
    HostCall asked = call.toBuilder().setAskedCommitment(change.newestCommitment()).build();
    change.waits().waitForHostCall(asked);
    return asked;
  }

  /**
   * Removes the task's pending call and its due entry, and adds it to the facts for the receipt.
   *
   * @param status how it ended, as receipts spell it
   */
  void close(TaskChange change, String status) {
    HostCall call = change.record().getHostCall();
    ObjectNode part =
        JsonNodeFactory.instance
            .objectNode()
            .put("tool", call.getName())
            .put("call_id", call.getToolCallId())
            .put("status", status)
            .put("output_hash", Commitment.spell(change.newestCommitment()));
    if (!call.getAskedCommitment().isEmpty()) {
      part.put("input_hash", Commitment.spell(call.getAskedCommitment()));
    }
    change
        .facts()
        .add(
            TaskFactKind.TASK_FACT_KIND_TOOL_CALL,
            UnsafeByteOperations.unsafeWrap(CanonicalJson.bytes(part)),
            ByteString.EMPTY);
    due.cancel(change.write().tr(), entry(change, change.record().getHostCall()));
    change.waits().clearHostCall();
  }

  @Override
  public void onTaskEnd(TaskChange change) {
    if (change.record().hasHostCall()) {
      emitUnanswered(change, "task_ended");
      close(change, CANCELED);
    }
  }

  /** Schedules the timeout of the call of an imported task that is taken over. */
  public void takeOver(TaskChange change) {
    if (change.record().hasHostCall()) {
      due.schedule(change.write().tr(), entry(change, change.record().getHostCall()));
    }
  }

  /** Emits that the call of a task was not answered. */
  void emitUnanswered(TaskChange change, String reason) {
    change.emit(
        EventDraft.of(
            EventKinds.TOOL_FAILED,
            facts(change.record().getHostCall(), change.record().getQuestionStepKey())
                .text("reason", reason)));
  }

  /** Returns the event members that identify a call. */
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
