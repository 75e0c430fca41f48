package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.sample.SampleTask;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verdict;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The receipt of a segment whose handler ran with replaced values. */
final class ReplacedRunTest {
  private static final SampleTask TASK = SampleTask.completed();
  private static final Receipt SOURCE = SampleTask.signed(TASK.draft());
  private static final String HASH = "sha256:" + "b".repeat(64);

  private static ObjectNode facts(String key, String state) {
    ObjectNode facts = JsonNodeFactory.instance.objectNode();
    facts
        .putArray("overrides")
        .addObject()
        .put("delta_id", "delta_1")
        .put("key", key)
        .put("kind", "llm_provider_response")
        .put("after_sha256", HASH)
        .put("reason", "what if");
    facts.putObject("differences").put("count", 1).putArray("changed").add("said");
    facts
        .putArray("artifacts")
        .addObject()
        .put("kind", "log")
        .put("sha256", "sha256:" + "c".repeat(64));
    return facts.put("final_state", state).put("failure_code", "no_money");
  }

  private static JsonNode segment(ObjectNode facts, OptionalLong checkpoint) {
    LogReplay replay =
        new LogReplay(
            SOURCE,
            new SegmentRequest(
                SegmentRequest.Depth.EXECUTE, checkpoint, Optional.of(new ReplacedRun(facts))));
    TASK.lines().forEach(line -> replay.add(line.getBytes(UTF_8)));
    Receipt receipt = replay.finish().segment().orElseThrow().unsigned();
    assertThat(new ReceiptVerifier(Trust.none()).verify(receipt.bytes()).verdict())
        .isEqualTo(Verdict.CONSISTENT);
    return receipt.json();
  }

  private static JsonNode segment(ObjectNode facts) {
    return segment(facts, OptionalLong.empty());
  }

  private static String key() {
    return SOURCE.json().at("/replay_input/materials/1/id").textValue();
  }

  @Test
  void eachOverrideIsADeltaAndTheMaterialOfTheRun() {
    JsonNode segment = segment(facts(key(), "COMPLETED"));

    JsonNode delta = segment.at("/deltas/0");
    assertThat(delta.get("override_key").textValue()).isEqualTo(key());
    assertThat(delta.get("path").textValue()).isEqualTo("/replay_input/materials/" + key());
    assertThat(delta.get("operation").textValue()).isEqualTo("replace");
    assertThat(delta.get("after_sha256").textValue()).isEqualTo(HASH);
    assertThat(delta.has("before_sha256")).isFalse();
    JsonNode material = segment.at("/replay_input/materials/1");
    assertThat(material.get("id").textValue()).isEqualTo(key());
    assertThat(material.get("sha256").textValue()).isEqualTo(HASH);
    assertThat(segment.at("/metadata/bridle.replay/request/mode").textValue())
        .isEqualTo("with_overrides");
    assertThat(segment.at("/metadata/bridle.replay/request/override").has(key())).isTrue();
    assertThat(segment.at("/metadata/bridle.replay/differences/changed/0").textValue())
        .isEqualTo("said");
  }

  @Test
  void theEndAndTheArtifactsAreThoseOfTheRun() {
    JsonNode completed = segment(facts(key(), "COMPLETED"));
    JsonNode failed = segment(facts(key(), "FAILED"));

    assertThat(completed.at("/lifecycle/final_state").textValue()).isEqualTo("SUCCEEDED");
    assertThat(completed.at("/lifecycle/failure").isNull()).isTrue();
    assertThat(completed.at("/final_artifacts")).hasSize(1);
    assertThat(completed.at("/final_artifacts/0/artifact_id").textValue())
        .matches("artifact_[0-9a-f]{32}");
    assertThat(failed.at("/lifecycle/final_state").textValue()).isEqualTo("FAILED");
    assertThat(failed.at("/lifecycle/failure/code").textValue()).isEqualTo("no_money");
    assertThat(failed.at("/lifecycle/started_at"))
        .isEqualTo(SOURCE.json().at("/lifecycle/started_at"));
  }

  @Test
  void theSameFactsMakeTheSameBytesAndOthersDoNot() {
    String hash = hash(segment(facts(key(), "COMPLETED")));
    ObjectNode other = facts(key(), "COMPLETED");
    ((ObjectNode) other.at("/overrides/0")).put("reason", "why not");

    assertThat(hash(segment(facts(key(), "COMPLETED")))).isEqualTo(hash);
    assertThat(hash(segment(other))).isNotEqualTo(hash);
    JsonNode later = segment(facts(key(), "COMPLETED"), OptionalLong.of(2));
    assertThat(hash(later)).isNotEqualTo(hash);
    assertThat(later.at("/metadata/bridle.replay/request/mode").textValue())
        .isEqualTo("from_checkpoint");
    assertThat(later.at("/metadata/bridle.replay/request/checkpoint").asInt()).isEqualTo(2);
  }

  private static String hash(JsonNode segment) {
    return segment.at("/chain/receipt_hash").textValue();
  }
}
