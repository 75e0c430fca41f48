package dev.bridle.worker.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.ChangedQuestion;
import dev.bridle.worker.Decision;
import dev.bridle.worker.GivenInput;
import dev.bridle.worker.HostResult;
import dev.bridle.worker.HostTool;
import dev.bridle.worker.ModelCall;
import dev.bridle.worker.Parts;
import dev.bridle.worker.Permission;
import dev.bridle.worker.Question;
import dev.bridle.worker.SaidMessage;
import dev.bridle.worker.SentMessage;
import dev.bridle.worker.SideEffect;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Usage;
import dev.bridle.worker.WrongValue;
import dev.bridle.worker.replay.TapedStep.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A task whose steps a tape answers. It is never canceled, and nothing is said to it meanwhile;
 * pauses take no time.
 */
final class TapedTask implements TaskContext {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String ID = "task_of_the_replay_kit";

  private final Tape tape;
  private final Givens givens;
  private final AtomicInteger progressReports = new AtomicInteger();
  private final ThreadLocal<String> parent = ThreadLocal.withInitial(() -> "");
  private final Map<String, byte[]> created = new ConcurrentHashMap<>();

  TapedTask(Tape tape, Givens givens) {
    this.tape = tape;
    this.givens = givens;
  }

  private Object take(String key, Kind kind, Object request, Callable<Object> first) {
    try {
      return takeOrThrow(key, kind, request, first);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Object takeOrThrow(String key, Kind kind, Object request, Callable<Object> first)
      throws Exception {
    return tape.take(new TapedStep(key, kind, request, parent.get()), first);
  }

  private void tell(String key, Kind kind, Object request) {
    var unused = take(key, kind, request, () -> "");
  }

  @Override
  public Task task() {
    return Task.newBuilder().setId(ID).setInput(givens.input()).build();
  }

  @Override
  public GivenInput input() {
    return new GivenInput(givens.input());
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public String traceId() {
    return "";
  }

  @Override
  public Optional<String> folder() {
    return Optional.empty();
  }

  @Override
  public void progress(String text) {
    progressAs("progress:" + progressReports.incrementAndGet(), text, OptionalDouble.empty());
  }

  @Override
  public void progress(String text, double fraction) {
    progressAs("progress:" + progressReports.incrementAndGet(), text, OptionalDouble.of(fraction));
  }

  @Override
  public void progressAs(String stepKey, String text, OptionalDouble fraction) {
    tell(stepKey, Kind.PROGRESS, List.of(text, fraction));
  }

  @Override
  public Message message(String stepKey, List<Part> parts) {
    Message.Builder message = Message.newBuilder().setRole(Role.ROLE_AGENT).addAllParts(parts);
    return (Message)
        take(
            stepKey,
            Kind.MESSAGE,
            List.copyOf(parts),
            () -> message.setId("message:" + stepKey).setTaskId(ID).build());
  }

  @Override
  public Artifact artifact(
      String stepKey, ArtifactKind kind, String mimeType, byte[] content, Visibility visibility) {
    byte[] kept = content.clone();
    Artifact artifact =
        (Artifact)
            take(
                stepKey,
                Kind.ARTIFACT,
                List.of(kind, mimeType, visibility, shown(kept)),
                () ->
                    Artifact.newBuilder()
                        .setId("artifact:" + stepKey)
                        .setKind(kind)
                        .setMimeType(mimeType)
                        .setTaskId(ID)
                        .build());
    created.put(artifact.getId(), kept);
    return artifact;
  }

  /** Returns a character for each byte, so that a difference can be read where it is text. */
  private static String shown(byte[] content) {
    return new String(content, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void event(String stepKey, String kind, JsonNode payload, Visibility visibility) {
    tell(stepKey, Kind.EVENT, List.of(kind, payload.deepCopy(), visibility));
  }

  @Override
  public JsonNode step(String stepKey, Callable<JsonNode> compute) throws Exception {
    return step(stepKey, "", compute);
  }

  @Override
  public JsonNode step(String stepKey, String inputHash, Callable<JsonNode> compute)
      throws Exception {
    JsonNode value =
        (JsonNode) takeOrThrow(stepKey, Kind.VALUE, inputHash, () -> within(stepKey, compute));
    return value.deepCopy();
  }

  private JsonNode within(String stepKey, Callable<JsonNode> compute) throws Exception {
    String outer = parent.get();
    parent.set(stepKey);
    try {
      return MAPPER.readTree(MAPPER.writeValueAsBytes(compute.call()));
    } finally {
      parent.set(outer);
    }
  }

  @Override
  public <T> T step(String stepKey, Class<T> type, Callable<T> compute) throws Exception {
    return MAPPER.treeToValue(
        step(stepKey, () -> MAPPER.<JsonNode>valueToTree(compute.call())), type);
  }

  @Override
  public List<SaidMessage> transcript(int limit) {
    List<SaidMessage> said = givens.transcript();
    return said.subList(Math.max(0, said.size() - limit), said.size());
  }

  @Override
  public Optional<byte[]> sessionState() {
    return tape.state().map(byte[]::clone);
  }

  @Override
  public void keepSessionState(byte[] kept) {
    tape.keep(kept);
  }

  @Override
  public boolean recorded(String stepKey) {
    return tape.has(stepKey);
  }

  @Override
  public Optional<WrongValue> wrongValue(String sourceTaskId) {
    return Optional.empty();
  }

  @Override
  public Message requestInput(String stepKey, Question question) {
    return (Message)
        take(
            stepKey,
            Kind.QUESTION,
            question,
            () ->
                Message.newBuilder()
                    .setRole(Role.ROLE_USER)
                    .addParts(
                        Parts.text(
                            Givens.need(givens.answers(), stepKey, "an answer to", "answering")))
                    .build());
  }

  @Override
  public Decision requestPermission(String stepKey, Permission permission) {
    return (Decision)
        take(
            stepKey,
            Kind.PERMISSION,
            permission,
            () -> Givens.need(givens.decisions(), stepKey, "a decision about", "deciding"));
  }

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
  public HostResult hostTool(String stepKey, HostTool tool) {
    return (HostResult)
        take(
            stepKey,
            Kind.HOST_TOOL,
            tool,
            () -> Givens.need(givens.tools(), stepKey, "a tool's result for", "withTool"));
  }

  @Override
  public void usage(String stepKey, Usage usage) {
    tell(stepKey, Kind.USAGE, usage);
  }

  @Override
  public void modelCall(String stepKey, ModelCall call) {
    tell(stepKey, Kind.MODEL_CALL, call);
  }

  @Override
  public void sideEffect(String stepKey, SideEffect effect) {
    tell(stepKey, Kind.SIDE_EFFECT, effect);
  }

  @Override
  public void flush() {}

  /** The value is not on the tape. */
  @Override
  public String secret(String vaultId, String name) {
    String key = "secret:" + (vaultId.isEmpty() ? "" : vaultId + "/") + name;
    Supplier<String> value = () -> Givens.need(givens.secrets(), name, "the secret", "withSecret");
    var unused = take(key, Kind.SECRET, name, () -> value.get().isEmpty());
    return value.get();
  }

  @Override
  public byte[] download(String artifactId, int maxBytes) {
    byte[] own = created.get(artifactId);
    Supplier<byte[]> content =
        () ->
            own != null
                ? own
                : Givens.need(givens.artifacts(), artifactId, "the artifact", "withArtifact");
    var unused =
        take("host:artifact:" + artifactId, Kind.DOWNLOAD, artifactId, () -> content.get().length);
    return content.get().clone();
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
  public boolean complete(TaskResult result) {
    return true;
  }

  @Override
  public boolean cancelled() {
    return false;
  }

  @Override
  public void throwIfCancelled() {}

  @Override
  public void pause(Duration time) {}
}
