package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.MessageReport;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.ReportDivergenceRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UsageReport;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import dev.bridle.worker.v1.WithdrawQuestionResponse;
import dev.bridle.worker.v1.WithdrawalReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** The context of a handler that runs under a lease. */
class LeasedTask implements TaskContext {
  private final TaskLease lease;
  private final LeaseHold hold;
  private final TaskCalls calls;
  private final StepLog steps;
  private final Asking asking;
  private final Inbox inbox;
  private final Predicate<TaskResult> completion;
  private final KeptState state;
  private final SessionReading reading;
  private final AtomicInteger progressReports = new AtomicInteger();

  LeasedTask(
      TaskLease lease,
      TaskCalls calls,
      StepLog steps,
      Asking asking,
      Inbox inbox,
      Predicate<TaskResult> completion) {
    this.lease = lease;
    this.hold = calls.hold();
    this.calls = calls;
    this.steps = steps;
    this.asking = asking;
    this.inbox = inbox;
    this.completion = completion;
    this.state = new KeptState(hold, calls.core());
    this.reading = new SessionReading(hold, calls.core());
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
  public String traceId() {
    return lease.getTraceId();
  }

  @Override
  public Optional<String> folder() {
    return lease.hasFolder() ? Optional.of(lease.getFolder()) : Optional.empty();
  }

  @Override
  public void progress(String text) {
    progressAs(nextProgressKey(), text, OptionalDouble.empty());
  }

  @Override
  public void progress(String text, double fraction) {
    progressAs(nextProgressKey(), text, OptionalDouble.of(fraction));
  }

  /** Returns the key of the next progress without one. */
  String nextProgressKey() {
    return "progress:" + progressReports.incrementAndGet();
  }

  @Override
  public void progressAs(String stepKey, String text, OptionalDouble fraction) {
    ProgressReport.Builder progress = ProgressReport.newBuilder().setText(text);
    fraction.ifPresent(progress::setFraction);
    steps.report(stepKey, report -> report.setProgress(progress));
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
  public Artifact artifact(
      String stepKey, ArtifactKind kind, String mimeType, byte[] content, Visibility visibility) {
    return steps
        .record(
            stepKey,
            ResultCase.ARTIFACT,
            request ->
                request.setArtifact(
                    ArtifactReport.newBuilder()
                        .setKind(kind)
                        .setMimeType(mimeType)
                        .setVisibility(visibility)
                        .setContent(ByteString.copyFrom(content))))
        .getArtifact();
  }

  @Override
  public void event(String stepKey, String kind, JsonNode payload, Visibility visibility) {
    EventReport.Builder event =
        EventReport.newBuilder()
            .setEvent(kind)
            .setPayload(Json.bytes(payload))
            .setVisibility(visibility);
    steps.report(stepKey, report -> report.setEvent(event));
  }

  @Override
  public void usage(String stepKey, Usage usage) {
    UsageReport used = usage.report();
    steps.report(stepKey, report -> report.setUsage(used));
  }

  @Override
  public void modelCall(String stepKey, ModelCall call) {
    steps.report(stepKey, report -> report.setModelCall(call.report()));
  }

  @Override
  public void sideEffect(String stepKey, SideEffect effect) {
    steps.report(stepKey, report -> report.setSideEffect(effect.report()));
  }

  @Override
  public void flush() {
    hold.throwIfSilenced();
    calls.reports().flush();
  }

  @Override
  public JsonNode step(String stepKey, Callable<JsonNode> compute) throws Exception {
    return step(stepKey, "", compute);
  }

  @Override
  public JsonNode step(String stepKey, String inputHash, Callable<JsonNode> compute)
      throws Exception {
    needRunning();
    Optional<RecordedStep> recorded = steps.value(stepKey, inputHash);
    if (recorded.isPresent()) {
      return Json.read(recorded.get().getValue());
    }
    ByteString value = Json.bytes(steps.compute(stepKey, compute));
    return Json.read(steps.recordValue(stepKey, inputHash, value).getValue());
  }

  @Override
  public <T> T step(String stepKey, Class<T> type, Callable<T> compute) throws Exception {
    JsonNode value = step(stepKey, () -> Json.MAPPER.valueToTree(compute.call()));
    return Json.MAPPER.treeToValue(value, type);
  }

  @Override
  public List<SaidMessage> transcript(int limit) {
    needRunning();
    return reading.transcript(limit);
  }

  @Override
  public Optional<byte[]> sessionState() {
    needRunning();
    return state.read();
  }

  @Override
  public void keepSessionState(byte[] kept) {
    hold.throwIfSilenced();
    state.keep(kept);
  }

  @Override
  public boolean recorded(String stepKey) {
    return steps.has(stepKey);
  }

  @Override
  public Optional<WrongValue> wrongValue(String sourceTaskId) {
    return ValueChecks.firstWrong(hold, calls.core(), sourceTaskId);
  }

  @Override
  public Message requestInput(String stepKey, Question question) {
    needRunning();
    Optional<RecordedStep> recorded = steps.answer(stepKey);
    if (recorded.isPresent()) {
      if (recorded.get().hasTimedOut()) {
        throw new QuestionWithdrawn(stepKey);
      }
      return recorded.get().getAnswer();
    }
    return asking.questions().ask(stepKey, question);
  }

  @Override
  public Decision requestPermission(String stepKey, Permission permission) {
    throwIfCancelled();
    return asking.permissions().ask(stepKey, permission);
  }

  @Override
  public boolean withdraw(String stepKey) {
    return withdraw(stepKey, WithdrawalReason.WITHDRAWAL_REASON_WITHDRAWN).getWithdrawn();
  }

  @Override
  public ChangedQuestion change(String stepKey) {
    WithdrawQuestionResponse response =
        withdraw(stepKey, WithdrawalReason.WITHDRAWAL_REASON_CHANGED);
    return response.getWithdrawn()
        ? ChangedQuestion.WITHDRAWN
        : response.getVoided() ? ChangedQuestion.VOIDED : ChangedQuestion.UNCHANGED;
  }

  private WithdrawQuestionResponse withdraw(String stepKey, WithdrawalReason reason) {
    hold.throwIfSilenced();
    return calls
        .core()
        .call(
            hold,
            core ->
                core.withdrawQuestion(
                    WithdrawQuestionRequest.newBuilder()
                        .setTaskId(hold.taskId())
                        .setFence(hold.fence())
                        .setStepKey(stepKey)
                        .setReason(reason)
                        .build()));
  }

  @Override
  public boolean divergeByName(
      String stepKey,
      String questionStepKey,
      String title,
      ObjectNode difference,
      String toolName) {
    hold.throwIfSilenced();
    return calls
        .core()
        .call(
            hold,
            core ->
                core.reportDivergence(
                    ReportDivergenceRequest.newBuilder()
                        .setTaskId(hold.taskId())
                        .setFence(hold.fence())
                        .setStepKey(stepKey)
                        .setQuestionStepKey(questionStepKey)
                        .setTitle(title)
                        .setDifference(Json.bytes(difference))
                        .setToolName(toolName)
                        .build()))
        .getActedDifferently();
  }

  @Override
  public HostResult hostTool(String stepKey, HostTool tool) {
    needRunning();
    return asking.hostTools().run(stepKey, tool);
  }

  @Override
  public String secret(String vaultId, String name) {
    throwIfCancelled();
    return use(vaultId, name).getValue();
  }

  /** Requests a secret from the core. */
  final UseSecretResponse use(String vaultId, String name) {
    return calls.carry(
        (core, earlier) ->
            core.useSecret(
                UseSecretRequest.newBuilder()
                    .setTaskId(hold.taskId())
                    .setFence(hold.fence())
                    .setVaultId(vaultId)
                    .setName(name)
                    .setParentStepKey(steps.parent())
                    .addAllEarlierReports(earlier)
                    .build()));
  }

  @Override
  public byte[] download(String artifactId, int maxBytes) {
    needRunning();
    return calls.core().download(hold, artifactId, maxBytes);
  }

  @Override
  public void onMessage(Runnable listener) {
    inbox.listen(listener);
  }

  @Override
  public Optional<SentMessage> nextMessage() {
    hold.throwIfSilenced();
    return inbox.take();
  }

  @Override
  public List<SentMessage> takenMessages() {
    hold.throwIfSilenced();
    return lease.getHasMessages() ? inbox.taken() : List.of();
  }

  @Override
  public boolean complete(TaskResult result) {
    needRunning();
    return completion.test(result);
  }

  @Override
  public boolean cancelled() {
    return hold.stop() != Stop.NONE;
  }

  @Override
  public void throwIfCancelled() {
    hold.throwIfStopped();
  }

  @Override
  public void pause(Duration time) {
    needRunning();
    hold.pause(time.toNanos());
  }

  /** Throws if the handler must stop, or an earlier report was rejected. */
  private void needRunning() {
    hold.throwIfStopped();
    calls.reports().throwIfRefused();
  }
}
