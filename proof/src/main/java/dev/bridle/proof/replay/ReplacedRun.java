package dev.bridle.proof.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What a handler did in a replay that has replaced recorded values, as the server keeps it: which
 * values were replaced, which of its steps differ, and how it ended. Immutable.
 *
 * <p>Members of the facts: {@code overrides}, each with {@code key}, {@code kind}, {@code
 * delta_id}, {@code after_sha256}, and, where there are any, {@code event_id}, {@code
 * before_sha256}, {@code artifact_id} and {@code reason}; {@code differences}; {@code final_state},
 * {@code COMPLETED} or {@code FAILED}; {@code failure_code}; {@code artifacts} as in receipts,
 * without ids where the replay has made them.
 */
public final class ReplacedRun {
  private static final int HALF = 32;
  private static final List<String> STATED =
      List.of("kind", "after_sha256", "artifact_id", "reason", "refreshed");
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final ObjectNode facts;

  /** Takes the facts that a server keeps. */
  public ReplacedRun(ObjectNode facts) {
    this.facts = facts.deepCopy();
  }

  /** Returns how the handler ended, such as {@code COMPLETED}. */
  public String finalState() {
    return facts.path("final_state").asText();
  }

  /** Returns the keys of the values that the handler was to compute anew. */
  JsonNode refresh() {
    return facts.path("refresh").deepCopy();
  }

  /** Returns the number of steps that differ. */
  public long differences() {
    return facts.at("/differences/count").asLong();
  }

  /** Returns the overrides as the request has them: what decides on the run. */
  ObjectNode request() {
    ObjectNode request = NODES.objectNode();
    facts
        .path("overrides")
        .forEach(
            override -> {
              ObjectNode stated = request.putObject(override.path("key").asText());
              for (String member : STATED) {
                copy(override, member, stated, member);
              }
            });
    return request;
  }

  JsonNode differing() {
    return facts.path("differences").deepCopy();
  }

  /** Returns a delta for each override, in the order of their keys. */
  ArrayNode deltas() {
    ArrayNode deltas = NODES.arrayNode();
    for (JsonNode override : facts.path("overrides")) {
      String key = override.path("key").asText();
      ObjectNode delta = deltas.addObject();
      copy(override, "delta_id", delta, "delta_id");
      delta
          .put("operation", "replace")
          .put("path", "/replay_input/materials/" + key.replace("~", "~0").replace("/", "~1"))
          .put("override_key", key);
      for (String member :
          List.of("event_id", "before_sha256", "after_sha256", "artifact_id", "reason")) {
        copy(override, member, delta, member);
      }
    }
    return deltas;
  }

  /** Returns a recorded dependency as it was in the run. */
  JsonNode material(JsonNode recorded) {
    return override(recorded.path("id").asText())
        .<JsonNode>map(
            override -> {
              ObjectNode material = NODES.objectNode();
              copy(recorded, "kind", material, "kind");
              copy(recorded, "id", material, "id");
              copy(override, "after_sha256", material, "sha256");
              material.putObject("metadata").put("override_key", override.path("key").asText());
              return material;
            })
        .orElse(recorded);
  }

  private Optional<JsonNode> override(String key) {
    for (JsonNode override : facts.path("overrides")) {
      if (override.path("key").asText().equals(key)) {
        return Optional.of(override);
      }
    }
    return Optional.empty();
  }

  /** Returns the lifecycle of the source with the end of the run. */
  ObjectNode lifecycle(ObjectNode source) {
    ObjectNode lifecycle = source.deepCopy();
    if (finalState().equals("COMPLETED")) {
      lifecycle.put("final_state", "SUCCEEDED").putNull("failure");
    } else {
      lifecycle.put("final_state", "FAILED");
      lifecycle.putObject("failure").put("code", facts.path("failure_code").asText());
    }
    return lifecycle;
  }

  /**
   * Returns the artifacts of the run. Those that the replay has made get ids that are the same for
   * each replay with this seed.
   */
  ArrayNode artifacts(Sha256 seed) {
    ArrayNode artifacts = NODES.arrayNode();
    int at = 0;
    for (JsonNode made : facts.path("artifacts")) {
      ObjectNode artifact = made.deepCopy();
      if (!artifact.has("artifact_id")) {
        byte[] hash = Sha256.of((seed + "\n" + at).getBytes(StandardCharsets.UTF_8)).bytes();
        artifact.put(
            "artifact_id", "artifact_" + HexFormat.of().formatHex(hash).substring(0, HALF));
      }
      artifacts.add(artifact);
      at++;
    }
    return artifacts;
  }

  private static void copy(JsonNode from, String member, ObjectNode to, String name) {
    if (from.has(member)) {
      to.set(name, from.get(member));
    }
  }
}
