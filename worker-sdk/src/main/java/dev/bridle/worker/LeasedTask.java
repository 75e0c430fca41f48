package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.MessageReport;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** The context of a handler that runs under a lease. */
final class LeasedTask implements TaskContext {
  private final TaskLease lease;
  private final LeaseHold hold;
  private final CoreCalls calls;
  private final StepLog steps;
  private final Questions questions;
  private final Permissions permissions;
  private final HostTools hostTools;
  private final AtomicInteger progressReports = new AtomicInteger();

  LeasedTask(
      TaskLease lease,
      LeaseHold hold,
      CoreCalls calls,
      StepLog steps,
      Questions questions,
      Permissions permissions,
      HostTools hostTools) {
    this.lease = lease;
    this.hold = hold;
    this.calls = calls;
    this.steps = steps;
    this.questions = questions;
    this.permissions = permissions;
    this.hostTools = hostTools;
  }

  @Override
  public Task task() {
    return lease.getTask();
  }

  @Override
  public GivenInput input() {
    return new GivenInput(lease.getTask().getInput());
  }

  @Override
  public int attempt() {
    return lease.getAttempt();
  }

  @Override
  public void progress(String text) {
    progressAs(nextProgressKey(), text, OptionalDouble.empty());
  }

  @Override
  public void progress(String text, double fraction) {
    progressAs(nextProgressKey(), text, OptionalDouble.of(fraction));
  }

  private String nextProgressKey() {
    return "progress:" + progressReports.incrementAndGet();
  }

  @Override
  public void progressAs(String stepKey, String text, OptionalDouble fraction) {
    ProgressReport.Builder report = ProgressReport.newBuilder().setText(text);
    fraction.ifPresent(report::setFraction);
    steps.record(stepKey, ResultCase.TOLD, request -> request.setProgress(report));
  }

  @Override
  public Message message(String stepKey, List<Part> parts) {
    MessageInput message =
        MessageInput.newBuilder().setRole(Role.ROLE_AGENT).addAllParts(parts).build();
    return steps
        .record(
            stepKey,
            ResultCase.MESSAGE,
            request -> request.setMessage(MessageReport.newBuilder().setMessage(message)))
        .getMessage();
  }

  @Override
  public Artifact artifact(String stepKey, ArtifactKind kind, String mimeType, byte[] content) {
    return steps
        .record(
            stepKey,
            ResultCase.ARTIFACT,
            request ->
                request.setArtifact(
                    ArtifactReport.newBuilder()
                        .setKind(kind)
                        .setMimeType(mimeType)
                        .setVisibility(Visibility.VISIBILITY_PUBLIC)
                        .setContent(ByteString.copyFrom(content))))
        .getArtifact();
  }

  @Override
  public void event(String stepKey, String kind, JsonNode payload) {
    steps.record(
        stepKey,
        ResultCase.TOLD,
        request ->
            request.setEvent(
                EventReport.newBuilder().setEvent(kind).setPayload(Json.bytes(payload))));
  }

  @Override
  public void usage(String stepKey, Usage usage) {
    steps.record(stepKey, ResultCase.TOLD, request -> request.setUsage(usage.report()));
  }

  @Override
  public JsonNode step(String stepKey, Callable<JsonNode> compute) throws Exception {
    throwIfCancelled();
    Optional<RecordedStep> recorded = steps.recorded(stepKey, ResultCase.VALUE);
    if (recorded.isPresent()) {
      return Json.read(recorded.get().getValue());
    }
    ByteString value = Json.bytes(compute.call());
    RecordedStep step =
        steps.record(
            stepKey,
            ResultCase.VALUE,
            request -> request.setDependency(DependencyReport.newBuilder().setValue(value)));
    return Json.read(step.getValue());
  }

  @Override
  public <T> T step(String stepKey, Class<T> type, Callable<T> compute) throws Exception {
    JsonNode value = step(stepKey, () -> Json.MAPPER.valueToTree(compute.call()));
    return Json.MAPPER.treeToValue(value, type);
  }

  @Override
  public boolean recorded(String stepKey) {
    return steps.has(stepKey);
  }

  @Override
  public Message requestInput(String stepKey, Question question) {
    throwIfCancelled();
    Optional<RecordedStep> recorded = steps.answer(stepKey);
    if (recorded.isPresent()) {
      return recorded.get().getAnswer();
    }
    return questions.ask(stepKey, question);
  }

  @Override
  public Decision requestPermission(String stepKey, Permission permission) {
    throwIfCancelled();
    return permissions.ask(stepKey, permission);
  }

  @Override
  public HostResult hostTool(String stepKey, HostTool tool) {
    throwIfCancelled();
    return hostTools.run(stepKey, tool);
  }

  @Override
  public String secret(String vaultId, String name) {
    throwIfCancelled();
    return calls
        .call(
            hold,
            core ->
                core.useSecret(
                    UseSecretRequest.newBuilder()
                        .setTaskId(hold.taskId())
                        .setFence(hold.fence())
                        .setVaultId(vaultId)
                        .setName(name)
                        .build()))
        .getValue();
  }

  @Override
  public byte[] download(String artifactId, int maxBytes) {
    return calls.download(hold, artifactId, maxBytes);
  }

  @Override
  public boolean cancelled() {
    return hold.stop() != LeaseHold.Stop.NONE;
  }

  @Override
  public void throwIfCancelled() {
    hold.throwIfStopped();
  }

  @Override
  public void pause(Duration time) {
    hold.pause(time.toNanos());
  }
}
