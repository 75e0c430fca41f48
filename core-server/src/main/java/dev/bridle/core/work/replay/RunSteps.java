package dev.bridle.core.work.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.worker.v1.RecordedStep;
import java.io.IOException;
import java.util.Optional;

/**
 * What the core itself keeps of the run of a replay, as values among the replay's steps: the
 * handler's steps are under the handler's own keys, which can't begin like these.
 */
final class RunSteps {
  /** The beginning of the keys that no report of a replay's handler may have. */
  static final String RESERVED = "replay:";

  /** The key of the path that the run took. */
  static final String PATH = RESERVED + "path";

  /** The key of how the handler ended, which the worker that replays the log reads, too. */
  static final String END = RESERVED + "end";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Steps steps;

  RunSteps(Steps steps) {
    this.steps = steps;
  }

  /** Returns a kept value. */
  Optional<ObjectNode> find(TaskChange change, String key) {
    return record(change, key).map(record -> parse(record.getStep().getValue()));
  }

  /** Returns a step of the replay itself. */
  Optional<StepRecord> record(TaskChange change, String key) {
    return steps.findRecord(change.write().tr(), change.write().tenant(), change.id(), key);
  }

  /** Keeps a value. */
  void keep(TaskChange change, String key, ObjectNode value) {
    steps.record(
        change,
        RecordedStep.newBuilder()
            .setStepKey(key)
            .setValue(ByteString.copyFromUtf8(value.toString()))
            .build());
  }

  /** Reads a JSON object that the core has written. */
  static ObjectNode parse(ByteString json) {
    try {
      return (ObjectNode) MAPPER.readTree(json.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("a kept value is damaged", e);
    }
  }
}
