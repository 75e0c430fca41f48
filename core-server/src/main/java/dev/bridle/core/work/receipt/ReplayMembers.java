package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.LogDigest;
import dev.bridle.core.work.task.ReplaySpelling;
import dev.bridle.event.v1.ReplayEventMetadata;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.worker.v1.HandlerDeterminism;
import java.util.Optional;

/** The member of a receipt about replays: {@code replay_input}. */
final class ReplayMembers {
  /** The member of the metadata that says what a replay's receipt is of. */
  static final String REPLAY = "bridle.replay";

  private final Ended ended;
  private final Doubts doubts;

  ReplayMembers(Ended ended, Doubts doubts) {
    this.ended = ended;
    this.doubts = doubts;
  }

  /** Returns what a task replays. */
  static ObjectNode replay(TaskReplay replay) {
    ObjectNode facts =
        JsonNodeFactory.instance
            .objectNode()
            .put("source_task_id", replay.getSourceTaskId())
            .put("origin_task_id", replay.getOriginTaskId())
            .put("mode", ReplaySpelling.of(replay.getMode()))
            .put("depth", ReplaySpelling.of(replay.getDepth()));
    if (replay.hasSourceSessionId()) {
      facts.put("source_session_id", replay.getSourceSessionId());
    }
    if (replay.hasCheckpoint()) {
      facts.put("checkpoint_event_id", replay.getCheckpoint().getEventId());
    }
    if (replay.getOverrideKeysCount() > 0) {
      replay.getOverrideKeysList().forEach(facts.putArray("override_keys")::add);
    }
    if (replay.getRefreshKeysCount() > 0) {
      replay.getRefreshKeysList().forEach(facts.putArray("refresh_keys")::add);
    }
    return facts;
  }

  /** Returns what the event about a task's receipt says of its replay; empty if it is none. */
  static Optional<ReplayEventMetadata> ofEvent(Task task) {
    return task.hasReplay()
        ? Optional.of(
            ReplayEventMetadata.newBuilder()
                .setSourceTaskId(task.getReplay().getSourceTaskId())
                .setReplayTaskId(task.getId())
                .setMode(task.getReplay().getMode())
                .build())
        : Optional.empty();
  }

  ObjectNode replayInput() {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    String unavailable = unavailable();
    input.put("determinism", unavailable.isEmpty() ? determinism() : "unavailable");
    ArrayNode materials = input.putArray("materials");
    materials.add(log());
    if (!ended.hasAll(TaskFactKind.TASK_FACT_KIND_MATERIAL)) {
      doubts.notReported("/replay_input/materials");
    }
    for (TaskFactRecord fact : ended.facts(TaskFactKind.TASK_FACT_KIND_MATERIAL)) {
      materials.add(Fragments.of(fact));
    }
    if (!unavailable.isEmpty()) {
      input.put("unavailable_reason", unavailable);
    }
    return input;
  }

  private String unavailable() {
    if (ended.task().getAttempt() == 0) {
      return "no agent ran the task";
    }
    return ended.task().hasHandler() || ended.task().getHasSteps()
        ? ""
        : "the agent declared no handler and recorded no steps";
  }

  private String determinism() {
    if (!ended.task().hasHandler()) {
      doubts.notReported("/replay_input/determinism");
    }
    boolean recorded =
        ended.task().getHandler().getDeterminism()
            == HandlerDeterminism.HANDLER_DETERMINISM_RECORDED;
    return recorded
            && !ended.computesAnew()
            && ended.task().getFactsKept()
            && ended.hasAll(TaskFactKind.TASK_FACT_KIND_MATERIAL)
        ? "byte_deterministic"
        : "best_effort";
  }

  private ObjectNode log() {
    String id = ended.task().getTask().getId();
    ObjectNode log =
        JsonNodeFactory.instance
            .objectNode()
            .put("kind", "event_log")
            .put("id", id)
            .put("uri", "/v1/tasks/" + id + "/log")
            .put("sha256", digest());
    log.putObject("metadata").put("events", ended.task().getNextSequence());
    return log;
  }

  /** Returns the digest over the task's events. */
  String digest() {
    return Commitment.spell(
        ByteString.copyFrom(LogDigest.finish(ended.task().getLogDigestState())));
  }
}
