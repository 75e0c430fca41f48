package dev.bridle.core.work.report;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ContentCommitment;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.validate.CanonicalForm;
import dev.bridle.core.kernel.validate.FreeFormJson;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskQuotas;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.StepTold;
import dev.bridle.worker.v1.UsageReport;
import java.util.Optional;
import java.util.regex.Pattern;

/** Applies the reports of workers: each emits an event, and is recorded for later runs. */
public final class Reports {
  private static final Pattern KIND =
      Pattern.compile(
          "(agent\\.(reasoning_summary|tool_use|tool_result|mcp_tool_use|handoff|memory_read"
              + "|memory_write)|session\\.compacted|tool\\.(requested|completed|failed)"
              + "|span\\.(started|updated|completed|failed)"
              + "|vendor\\.(?!bridle\\.)[a-z0-9_.-]{1,100})");

  /** The event by which the SDK says that the computation of a value has failed. */
  private static final String STEP_FAILED = "vendor.worker_sdk.step_failed";

  private static final int MAX_FAILURE = 4 << 10;

  private final Steps steps;
  private final MessageStore messages;
  private final ArtifactStore artifacts;
  private final TaskQuotas quotas;
  private final TaskEndings endings;
  private final ReplayReports replays;

  /**
   * Creates what applies reports.
   *
   * @param log finds the events that replays are about
   * @param endings ends a task whose usage exhausts a hard quota
   */
  public Reports(
      Steps steps,
      MessageStore messages,
      ArtifactStore artifacts,
      TaskQuotas quotas,
      TaskEndings endings,
      EventLog log) {
    this.steps = steps;
    this.messages = messages;
    this.artifacts = artifacts;
    this.quotas = quotas;
    this.endings = endings;
    this.replays = new ReplayReports(log);
  }

  /** Returns the report of a call that makes only one. */
  public static StepReport of(ReportStepRequest request) {
    StepReport.Builder report =
        StepReport.newBuilder()
            .setStepKey(request.getStepKey())
            .setParentStepKey(request.getParentStepKey());
    switch (request.getReportCase()) {
      case PROGRESS -> report.setProgress(request.getProgress());
      case MESSAGE -> report.setMessage(request.getMessage());
      case ARTIFACT -> report.setArtifact(request.getArtifact());
      case DEPENDENCY -> report.setDependency(request.getDependency());
      case EVENT -> report.setEvent(request.getEvent());
      case USAGE -> report.setUsage(request.getUsage());
      case MODEL_CALL -> report.setModelCall(request.getModelCall());
      case SIDE_EFFECT -> report.setSideEffect(request.getSideEffect());
      case REPORT_NOT_SET -> {}
    }
    return report.build();
  }

  /** Returns the hash that a report is recorded with, and by which a replay compares it. */
  public static ByteString hash(StepReport report) {
    return ByteString.copyFrom(Sha256.of(CanonicalForm.of(report)).bytes());
  }

  /** Returns the kind of result that a report is recorded with. */
  static ResultCase resultOf(StepReport report) {
    return switch (report.getReportCase()) {
      case PROGRESS, EVENT, USAGE, MODEL_CALL, SIDE_EFFECT -> ResultCase.TOLD;
      case MESSAGE -> ResultCase.MESSAGE;
      case ARTIFACT -> ResultCase.ARTIFACT;
      case DEPENDENCY -> ResultCase.VALUE;
      case REPORT_NOT_SET -> ResultCase.RESULT_NOT_SET;
    };
  }

  /** Returns the step that an earlier report with the same key recorded. */
  Optional<RecordedStep> known(TaskChange change, String stepKey) {
    return steps.find(change.write().tr(), change.write().tenant(), change.id(), stepKey);
  }

  /** Applies a report for the first time. The task ends if usage exhausts a hard quota. */
  RecordedStep apply(TaskChange change, StepReport report) {
    StepRecord.Builder record = StepRecord.newBuilder();
    record
        .getStepBuilder()
        .setStepKey(report.getStepKey())
        .setParentStepKey(report.getParentStepKey());
    switch (report.getReportCase()) {
      case PROGRESS -> progress(change, report.getProgress());
      case MESSAGE -> message(change, report.getMessage().getMessage(), record);
      case ARTIFACT -> artifact(change, report.getArtifact(), record);
      case DEPENDENCY -> Dependencies.add(change, report.getDependency(), record);
      case EVENT -> event(change, report.getEvent(), record);
      case USAGE -> usage(change, report.getUsage());
      case MODEL_CALL -> ModelCalls.add(change, report.getModelCall());
      case SIDE_EFFECT -> SideEffects.add(change, report.getStepKey(), report.getSideEffect());
      case REPORT_NOT_SET ->
          throw ProtocolException.invalid(
              "report",
              "must set exactly one of: progress, message, artifact, dependency, event, usage,"
                  + " model_call, side_effect");
    }
    if (resultOf(report) == ResultCase.TOLD) {
      record.getStepBuilder().setTold(StepTold.getDefaultInstance());
    }
    record
        .setSequence(change.record().getNextSequence() - 1)
        .setFence(change.record().getLease().getFence())
        .setRequestHash(hash(report));
    if (isFailure(report)) {
      record.setFailure(report.getEvent().getPayload());
    }
    steps.insert(change, record.build());
    if (report.hasUsage() || report.hasModelCall()) {
      quotas.breach(change, TaskQuotas.Step.GO_ON).ifPresent(cause -> endings.fail(change, cause));
    }
    return record.getStep();
  }

  private static boolean isFailure(StepReport report) {
    return report.hasEvent()
        && report.getEvent().getEvent().equals(STEP_FAILED)
        && report.getEvent().getPayload().size() <= MAX_FAILURE;
  }

  private static void progress(TaskChange change, ProgressReport report) {
    Payload facts = Payload.of().text("text", report.getText());
    if (report.hasFraction()) {
      facts.fraction("fraction", report.getFraction());
    }
    change.emit(EventDraft.of(EventKinds.PROGRESS, facts));
  }

  private void message(TaskChange change, MessageInput input, StepRecord.Builder record) {
    record.getStepBuilder().setMessage(append(change, input));
  }

  /** Appends a message of the task and emits its event. */
  public Message append(TaskChange change, MessageInput input) {
    Message message =
        messages.make(
            change.write(),
            change.task().getWorkspaceId(),
            change.task().getSessionId(),
            change.id(),
            input);
    messages.insert(change.write(), message, change.emit(MessageStore.appendedEvent(message)));
    change.counts().addMessage();
    return message;
  }

  private void artifact(TaskChange change, ArtifactReport report, StepRecord.Builder record) {
    Artifact artifact = artifacts.insertReported(change.write(), change.record().getTask(), report);
    change.emit(ArtifactStore.createdEvent(artifact, report.getContent().size()));
    change.counts().addArtifacts(1);
    change.facts().addArtifact(artifact.getId(), ArtifactStore.receiptPart(artifact, true));
    record.getStepBuilder().setArtifact(artifact);
  }

  private static void usage(TaskChange change, UsageReport report) {
    change
        .counts()
        .addModelUsage(report.getInputTokens(), report.getOutputTokens(), report.getCostMicros());
    change.counts().addToolCalls(report.getToolCalls());
    change.emit(
        EventDraft.of(
            EventKinds.USAGE_RECORDED,
            Payload.of()
                .text("model", report.getModel())
                .number("input_tokens", report.getInputTokens())
                .number("output_tokens", report.getOutputTokens())
                .number("cost_micros", report.getCostMicros())
                .number("tool_calls", report.getToolCalls())));
  }

  private void event(TaskChange change, EventReport report, StepRecord.Builder record) {
    if (ReplayReports.isOne(change, report)) {
      change.emit(replays.draft(change, report));
      return;
    }
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
    if (HiddenContent.isPublic(report.getVisibility())) {
      change.emit(new EventDraft(report.getEvent(), report.getPayload()));
      return;
    }
    ContentCommitment commitment = HiddenContent.commitment(change.write(), report.getPayload());
    record
        .setSalt(commitment.getSalt())
        .setCommitment(commitment.getCommitment())
        .setVisibility(report.getVisibility())
        .setHiddenPayload(report.getPayload());
    change.emit(
        EventDraft.of(
            report.getEvent(), HiddenContent.payload(report.getVisibility(), commitment)));
  }
}
