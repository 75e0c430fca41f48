package dev.bridle.core.work.replay;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.redaction.v1.GetRedactionRequest;
import dev.bridle.redaction.v1.RedactRequest;
import dev.bridle.redaction.v1.RedactedItem;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.ReplayedPath;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.List;

/** Tasks with recorded values that replays replace. */
abstract class OverriddenTasks extends ExecutedTasks {
  protected static final String KEY = "llm:1";

  protected static ReplayOverride.Builder override() {
    return ReplayOverride.newBuilder()
        .setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_LLM_PROVIDER_RESPONSE)
        .setValue(ByteString.copyFromUtf8("{\"b\" : 2.0}"))
        .setReason("try it");
  }

  protected final Task replay(Task source, ReplayTaskRequest.Builder request) {
    return ReplayServiceGrpc.newBlockingStub(core.owner())
        .replayTask(request.setTaskId(source.getId()).build());
  }

  protected static ReplayTaskRequest.Builder with(String key, ReplayOverride.Builder override) {
    return ReplayTaskRequest.newBuilder()
        .setMode(ReplayMode.REPLAY_MODE_WITH_OVERRIDES)
        .putOverride(key, override.build());
  }

  protected final Task overridden(Task source) {
    return replay(source, with(KEY, override()));
  }

  protected final CompareStepsResponse compare(TaskLease lease, StepReport... reports) {
    return core.workers()
        .compareSteps(
            CompareStepsRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .addAllReports(List.of(reports))
                .build());
  }

  protected final void took(TaskLease lease, ReplayedPath.Builder path) {
    var unused =
        core.workers()
            .compareSteps(
                CompareStepsRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setPath(path)
                    .build());
  }

  protected final List<Event> events(Task task, String kind) {
    return core.eventsOf(task.getId()).stream()
        .filter(event -> event.getEvent().equals(kind))
        .toList();
  }

  /** Redacts something, and waits until all of its content is gone. */
  protected final void redact(RedactedObject object, String id) {
    var redactions = RedactionServiceGrpc.newBlockingStub(core.owner());
    String redaction =
        redactions
            .redact(
                RedactRequest.newBuilder()
                    .addItems(RedactedItem.newBuilder().setObject(object).setId(id))
                    .build())
            .getId();
    GetRedactionRequest request =
        GetRedactionRequest.newBuilder().setRedactionId(redaction).build();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                redactions.getRedaction(request).getStatus()
                    == RedactionStatus.REDACTION_STATUS_DONE);
  }
}
