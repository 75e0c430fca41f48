package dev.bridle.core.work.dispatch;

import com.google.protobuf.ByteString;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.validate.FreeFormJson;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.StepTold;
import dev.bridle.worker.v1.UsageReport;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Applies the reports of workers: each emits an event, and is recorded for later runs. */
final class Reports {
  private static final Pattern KIND =
      Pattern.compile(
          "(agent\\.(reasoning_summary|tool_use|tool_result|mcp_tool_use|handoff|memory_read"
              + "|memory_write)|tool\\.(requested|completed|failed)"
              + "|span\\.(started|updated|completed|failed)"
              + "|vendor\\.(?!bridle\\.)[a-z0-9_.-]{1,100})");

  private final Steps steps;
  private final MessageStore messages;
  private final ArtifactStore artifacts;

  Reports(Steps steps, MessageStore messages, ArtifactStore artifacts) {
    this.steps = steps;
    this.messages = messages;
    this.artifacts = artifacts;
  }

  /** Returns the step that an earlier report with the same key recorded. */
  Optional<RecordedStep> known(Write write, ReportStepRequest request) {
    return steps.find(write.tr(), write.tenant(), request.getTaskId(), request.getStepKey());
  }

  /** Applies a report for the first time. */
  RecordedStep apply(TaskChange change, ReportStepRequest request) {
    StepRecord.Builder record = StepRecord.newBuilder();
    record.getStepBuilder().setStepKey(request.getStepKey());
    switch (request.getReportCase()) {
      case PROGRESS -> progress(change, request.getProgress(), record);
      case MESSAGE -> message(change, request.getMessage().getMessage(), record);
      case ARTIFACT -> artifact(change, request.getArtifact(), record);
      case DEPENDENCY -> dependency(change, request.getDependency(), record);
      case EVENT -> event(change, request.getEvent(), record);
      case USAGE -> usage(change, request.getUsage(), record);
      case REPORT_NOT_SET ->
          throw ProtocolException.invalid(
              "report",
              "must set exactly one of: progress, message, artifact, dependency, event, usage");
    }
    steps.insert(change, record.build());
    return record.getStep();
  }

  private static void progress(
      TaskChange change, ProgressReport report, StepRecord.Builder record) {
    Payload facts = Payload.of().text("text", report.getText());
    if (report.hasFraction()) {
      facts.fraction("fraction", report.getFraction());
    }
    change.emit(EventDraft.of(EventKinds.PROGRESS, facts));
    record.getStepBuilder().setTold(StepTold.getDefaultInstance());
  }

  private void message(TaskChange change, MessageInput input, StepRecord.Builder record) {
    record.getStepBuilder().setMessage(append(change, input));
  }

  /** Appends a message of the task and emits its event. */
  Message append(TaskChange change, MessageInput input) {
    Message message =
        messages.make(
            change.write(),
            change.task().getWorkspaceId(),
            change.task().getSessionId(),
            change.id(),
            input);
    messages.insert(change.write(), message, change.emit(MessageStore.appendedEvent(message)));
    change.countMessage();
    return message;
  }

  private void artifact(TaskChange change, ArtifactReport report, StepRecord.Builder record) {
    Artifact artifact = artifacts.insertReported(change.write(), change.record().getTask(), report);
    change.emit(ArtifactStore.createdEvent(artifact, report.getContent().size()));
    change.countArtifacts(1);
    record.getStepBuilder().setArtifact(artifact);
  }

  private static void dependency(
      TaskChange change, DependencyReport report, StepRecord.Builder record) {
    byte[] salt = change.write().salt(Commitment.SALT_BYTES);
    ByteString commitment = Commitment.of(salt, report.getValue());
    change.emit(
        EventDraft.of(
            EventKinds.DEPENDENCY_RECORDED,
            Payload.of()
                .text("key", record.getStep().getStepKey())
                .text("commitment", "sha256:" + HexFormat.of().formatHex(commitment.toByteArray()))
                .number("size", report.getValue().size())));
    change.countDependency();
    record.setSalt(ByteString.copyFrom(salt)).setVisibility(report.getVisibility());
    record.getStepBuilder().setValue(report.getValue());
  }

  private static void usage(TaskChange change, UsageReport report, StepRecord.Builder record) {
    change.recordUsage(report.getInputTokens() + report.getOutputTokens(), report.getCostMicros());
    change.countToolCalls(report.getToolCalls());
    change.emit(
        EventDraft.of(
            EventKinds.USAGE_RECORDED,
            Payload.of()
                .text("model", report.getModel())
                .number("input_tokens", report.getInputTokens())
                .number("output_tokens", report.getOutputTokens())
                .number("cost_micros", report.getCostMicros())
                .number("tool_calls", report.getToolCalls())));
    record.getStepBuilder().setTold(StepTold.getDefaultInstance());
  }

  private static void event(TaskChange change, EventReport report, StepRecord.Builder record) {
    if (!KIND.matcher(report.getEvent()).matches()) {
      throw ProtocolException.invalid(
          "event.event",
          "must be an agent, tool or span event of the protocol, or begin with 'vendor.'");
    }
    if (report.getEvent().startsWith("tool.")
        && FreeFormJson.hasMember(report.getPayload(), HostCalls.MEDIATED_BY)) {
      throw ProtocolException.invalid(
          "event.payload",
          "has '"
              + HostCalls.MEDIATED_BY
              + "', which only the server sets: clients would run the tool");
    }
    change.emit(new EventDraft(report.getEvent(), report.getPayload()));
    record.getStepBuilder().setTold(StepTold.getDefaultInstance());
  }
}
