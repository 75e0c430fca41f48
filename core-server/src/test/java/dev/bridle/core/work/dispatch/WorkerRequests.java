package dev.bridle.core.work.dispatch;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.core.server.TestCore;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.MessageReport;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TakeMessagesRequest;
import dev.bridle.worker.v1.TaskLease;

/** What the holder of a lease asks of a core and reports, as the tests begin it. */
public final class WorkerRequests {
  private WorkerRequests() {}

  public static ReportStepRequest.Builder step(TaskLease lease, String key) {
    return ReportStepRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey(key);
  }

  public static CompleteTaskRequest.Builder complete(TaskLease lease) {
    return CompleteTaskRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence());
  }

  public static HeartbeatRequest heartbeat(TaskLease lease) {
    return HeartbeatRequest.newBuilder()
        .addLeases(
            HeldLease.newBuilder().setTaskId(lease.getTask().getId()).setFence(lease.getFence()))
        .build();
  }

  /** Asks how many, under the key {@code ask}. */
  public static RequestInputRequest.Builder question(TaskLease lease) {
    return RequestInputRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey("ask")
        .setPrompt("How many?");
  }

  public static RequestPermissionRequest.Builder permission(TaskLease lease, String key) {
    return RequestPermissionRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey(key)
        .setSource(PermissionSource.PERMISSION_SOURCE_ACP)
        .setPrompt("May I?");
  }

  /** Returns what a user says to a task, without a mode. */
  public static AppendTaskMessageRequest.Builder said(String task, String text) {
    return TestCore.answer(task, text).toBuilder();
  }

  /** Takes the messages of the user through a sequence. */
  public static TakeMessagesRequest taken(TaskLease lease, long through) {
    return TakeMessagesRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setTakenThrough(through)
        .build();
  }

  /** Describes a small log. */
  public static ArtifactReport.Builder artifact() {
    return ArtifactReport.newBuilder()
        .setKind(ArtifactKind.ARTIFACT_KIND_LOG)
        .setMimeType("text/plain")
        .setVisibility(Visibility.VISIBILITY_PUBLIC)
        .setContent(ByteString.copyFromUtf8("hello"));
  }

  /** Reports progress whose text is its key. */
  public static StepReport progress(String key) {
    return StepReport.newBuilder()
        .setStepKey(key)
        .setProgress(ProgressReport.newBuilder().setText(key))
        .build();
  }

  /** Reports a message of the agent. */
  public static StepReport message(String key, String words) {
    TextPart text =
        TextPart.newBuilder().setText(words).setVisibility(Visibility.VISIBILITY_PUBLIC).build();
    return StepReport.newBuilder()
        .setStepKey(key)
        .setMessage(
            MessageReport.newBuilder()
                .setMessage(
                    MessageInput.newBuilder()
                        .setRole(Role.ROLE_AGENT)
                        .addParts(Part.newBuilder().setText(text))))
        .build();
  }

  /** Reports an event of the agent's own kind. */
  public static StepReport note(String key, String json) {
    return StepReport.newBuilder()
        .setStepKey(key)
        .setEvent(
            EventReport.newBuilder()
                .setEvent("vendor.note")
                .setPayload(ByteString.copyFromUtf8(json)))
        .build();
  }
}
