package dev.bridle.core.operations.portability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.ByteString;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.core.kernel.visibility.Redactions;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.task.v1.TaskInput;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds records that repeat what an event says against that event: messages, inputs, summaries,
 * hashes of artifacts. People read the records, and receipts prove the events. What it keeps is
 * bounded by one unit. Not thread-safe.
 */
final class RepeatedContent {
  private final ImportFaults faults;
  private final Map<String, Said> messages = new HashMap<>();
  private final Map<String, Sha256> inputs = new HashMap<>();
  private final Map<String, Sha256> summaries = new HashMap<>();
  private final Map<String, String> artifacts = new HashMap<>();
  private final Map<String, String> hashes = new HashMap<>();

  /**
   * Begins with no unit.
   *
   * @param faults takes what is found
   */
  RepeatedContent(ImportFaults faults) {
    this.faults = faults;
  }

  /**
   * What an event says of a message.
   *
   * @param parts the hash of its parts
   * @param leavesOut whether it leaves out what is not public
   */
  private record Said(Sha256 parts, boolean leavesOut) {}

  /** Adds an event whose payload is there. */
  void event(EventRecord event, JsonNode payload) {
    if (payload.has("message_id") && payload.has("parts")) {
      messages.put(
          payload.get("message_id").asText(),
          new Said(hash(payload.get("parts")), event.getPublicProjection()));
    }
    if (payload.has("artifact_id")) {
      shownOf(payload).ifPresent(shown -> hashes.put(payload.get("artifact_id").asText(), shown));
    }
    if (event.getSequence() == 0 && payload.has("input")) {
      inputs.put(event.getTaskId(), hash(payload.get("input")));
    }
    if (event.getEvent().equals(EventKinds.TASK_COMPLETED) && payload.has("summary")) {
      summaries.put(event.getTaskId(), hash(payload.get("summary")));
    }
  }

  /** Returns the hash of an artifact, or the commitment to it, as an event has it. */
  private static Optional<String> shownOf(JsonNode payload) {
    return Optional.ofNullable(payload.get("sha256"))
        .or(() -> Optional.ofNullable(payload.path("redacted").get("commitment")))
        .map(JsonNode::asText);
  }

  /** Adds a message, after its event. */
  void message(Message message) {
    List<Part> parts = message.getPartsList();
    Said said = messages.get(message.getId());
    if (said == null || Redactions.isErased(parts)) {
      return;
    }
    List<Part> shown = HiddenContent.publicOf(parts);
    if (!shown.equals(parts) && !said.leavesOut()) {
      return; // The event is of a release that said all.
    }
    if (!isOf(said.parts(), ResourceJson.list(shown))) {
      differs("the message " + message.getId());
    }
  }

  /** Adds the input of a task, after its first event. */
  void input(String task, TaskInput input) {
    Sha256 said = inputs.get(task);
    if (said != null && input.hasJson() && !isOf(said, input.getJson())) {
      differs("the input of the task " + task);
    }
  }

  /** Adds an outcome, after the last event of its task. */
  void outcome(Outcome outcome) {
    Sha256 said = summaries.get(outcome.getTaskId());
    if (said != null && !said.equals(hash(TextNode.valueOf(outcome.getSummary())))) {
      differs("the outcome of the task " + outcome.getTaskId());
    }
  }

  /** Adds an artifact, which comes before its events. */
  void artifact(Artifact artifact) {
    if (Redactions.isErased(artifact)) {
      return;
    }
    if (HiddenContent.isPublic(artifact.getVisibility())) {
      artifacts.put(artifact.getId(), artifact.getSha256());
    } else if (artifact.hasCommitment()) {
      artifacts.put(artifact.getId(), Commitment.spell(artifact.getCommitment().getCommitment()));
    }
  }

  /** Ends the unit. */
  void endOfUnit() {
    artifacts.forEach(
        (id, sha256) -> {
          if (!hashes.getOrDefault(id, sha256).equals(sha256)) {
            differs("the artifact " + id);
          }
        });
    messages.clear();
    inputs.clear();
    summaries.clear();
    artifacts.clear();
    hashes.clear();
  }

  private void differs(String what) {
    faults.found(what + " is not what its event says");
  }

  private static boolean isOf(Sha256 said, ByteString json) {
    return parsed(json).map(RepeatedContent::hash).equals(Optional.of(said));
  }

  /** Returns JSON that is there as a tree; empty if it is none. */
  static Optional<JsonNode> parsed(ByteString json) {
    try {
      return Optional.of(StrictJson.parse(json.toByteArray()));
    } catch (InvalidJsonException e) {
      return Optional.empty();
    }
  }

  private static Sha256 hash(JsonNode node) {
    return Sha256.of(node.toString().getBytes(StandardCharsets.UTF_8));
  }
}
