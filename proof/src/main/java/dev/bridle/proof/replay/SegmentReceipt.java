package dev.bridle.proof.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.receipt.ReceiptSigner;
import dev.bridle.proof.receipt.ResourceRef;
import dev.bridle.proof.schema.ReceiptSchema;
import java.util.HexFormat;
import java.util.List;

/**
 * The receipt of a replayed segment ({@code subject.object: replay_segment}), which is no link of a
 * session's chain. It is a function of the source's receipt, the request and the set of withheld
 * events alone: ids come from a hash over these, times and identifiers from the source. So the same
 * replay has the same bytes on each server and each machine. Immutable.
 */
public final class SegmentReceipt {
  /** The replay profile: which rules the replay follows. Receipts of other profiles may differ. */
  public static final String PROFILE = "bridle-log-replay-1";

  private static final String ISSUER = "bridle.replay";
  private static final int HALF = 16;
  private static final List<String> UNCOUNTED =
      List.of("/autonomy_budget", "/model_route", "/cost", "/side_effects");
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** The members whose doubts are those of the source, since they are copied from it. */
  private static final List<String> COPIED =
      List.of(
          "/identifiers", "/lifecycle", "/trust", "/replay_input/materials", "/final_artifacts");

  private final ObjectNode content;

  private SegmentReceipt(ObjectNode content) {
    this.content = content;
  }

  /**
   * Makes the receipt of a log replay that found no difference.
   *
   * @param requested what was replayed
   * @param withheld the number of events whose payload was not disclosed
   * @param withheldNumbers the hash over their numbers
   */
  static SegmentReceipt of(
      SourceReceipt source, SegmentRequest requested, long withheld, Sha256 withheldNumbers) {
    ObjectNode request = requested.json();
    ObjectNode missing =
        NODES.objectNode().put("count", withheld).put("sha256", withheldNumbers.toString());
    ObjectNode seeded = NODES.objectNode();
    seeded
        .putObject("origin")
        .put("receipt_hash", source.receipt().chain().receiptHash().toString())
        .put("task_id", source.receipt().identifiers().taskId());
    seeded.put("log_digest", source.digest().toString());
    seeded.set("request", request);
    seeded.put("profile", PROFILE);
    seeded.set("withheld", missing);
    Sha256 seed = Sha256.of(CanonicalJson.bytes(seeded));
    ObjectNode receipt = members(source, HexFormat.of().formatHex(seed.bytes()));
    ObjectNode replay =
        receipt
            .withObjectProperty("metadata")
            .putObject("bridle.replay")
            .put("source_task_id", source.receipt().identifiers().taskId())
            .put("source_receipt_id", source.receipt().id())
            .put("seed", seed.toString())
            .put("profile", PROFILE);
    replay.set("request", request);
    replay.set("withheld", missing);
    requested.run().ifPresent(replaced -> replace(source, receipt, replaced, seed));
    return new SegmentReceipt(receipt);
  }

  /** States the run where values were replaced, instead of what the source states. */
  private static void replace(
      SourceReceipt source, ObjectNode receipt, ReplacedRun run, Sha256 seed) {
    receipt.set("lifecycle", run.lifecycle(receipt.withObjectProperty("lifecycle")));
    receipt.set("final_artifacts", run.artifacts(seed));
    receipt.set("deltas", run.deltas());
    ArrayNode materials = receipt.withObject("/replay_input").putArray("materials");
    materials.add(log(source));
    source.dependencies().forEach(recorded -> materials.add(run.material(recorded)));
    receipt.withObject("/metadata/bridle.replay").set("differences", run.differing());
    dropOfEnd(receipt.withArray("redactions"), "field");
    ArrayNode doubts = receipt.withObject("/metadata").withArrayProperty("bridle.not_reported");
    dropOfEnd(doubts, "");
    if (!run.refresh().isEmpty()) {
      refresh(receipt, doubts);
    }
  }

  /** What was computed anew has called models and tools, of which nothing is counted here. */
  private static void refresh(ObjectNode receipt, ArrayNode doubts) {
    receipt.withObject("/replay_input").put("determinism", "best_effort");
    receipt.withObject("/model_route").put("route_policy_reason", "values were computed anew");
    UNCOUNTED.forEach(doubts::add);
  }

  /** What is not known of the source's end does not matter for another end. */
  private static void dropOfEnd(ArrayNode doubts, String member) {
    for (int i = doubts.size() - 1; i >= 0; i--) {
      JsonNode named = doubts.get(i);
      String pointer = (member.isEmpty() ? named : named.path(member)).asText();
      if (pointer.startsWith("/final_artifacts") || pointer.startsWith("/lifecycle/failure")) {
        doubts.remove(i);
      }
    }
  }

  private static ObjectNode members(SourceReceipt source, String seed) {
    ObjectNode receipt = NODES.objectNode();
    receipt.put("schema", ReceiptSchema.MARKER);
    receipt.put("receipt_id", "receipt_" + seed.substring(0, 2 * HALF));
    receipt
        .putObject("subject")
        .put("object", ResourceRef.REPLAY_SEGMENT)
        .put("id", "replay_" + seed.substring(2 * HALF));
    receipt
        .putObject("issuer")
        .put("id", ISSUER)
        .put("kind", "harness")
        .put("name", "Bridle replay")
        .put("version", PROFILE);
    for (String member : List.of("issued_at", "identifiers", "lifecycle", "trust")) {
      receipt.set(member, source.at("/" + member));
    }
    receipt.putArray("approvals");
    receipt
        .putObject("autonomy_budget")
        .putObject("consumed")
        .put("input_tokens", 0)
        .put("output_tokens", 0)
        .put("tool_calls", 0)
        .put("wall_time_ms", 0);
    materials(source, receipt.putObject("replay_input").put("determinism", "byte_deterministic"));
    ObjectNode route = receipt.putObject("model_route");
    route.putObject("chosen_model").put("provider", "none").put("model", "none");
    route.putArray("alternatives_considered");
    route.put("route_policy_reason", "no model was called");
    receipt
        .putObject("cost")
        .put("currency", source.at("/cost/currency").textValue())
        .put("total", 0)
        .putArray("provider_breakdown");
    ObjectNode effects = receipt.putObject("side_effects");
    List.of("fs_writes", "network_egress", "tool_calls", "a2a_handoffs").forEach(effects::putArray);
    receipt.set("final_artifacts", source.at("/final_artifacts"));
    receipt.putArray("deltas");
    receipt
        .putObject("chain")
        .put("previous_receipt_hash", source.receipt().chain().receiptHash().toString());
    redactions(source, receipt.putArray("redactions"));
    metadata(source, receipt.putObject("metadata"));
    return receipt;
  }

  private static void materials(SourceReceipt source, ObjectNode input) {
    ArrayNode materials = input.putArray("materials");
    materials.add(log(source));
    source.dependencies().forEach(materials::add);
  }

  private static ObjectNode log(SourceReceipt source) {
    String task = source.receipt().identifiers().taskId();
    ObjectNode log =
        NODES
            .objectNode()
            .put("kind", "event_log")
            .put("id", task)
            .put("uri", "/v1/tasks/" + task + "/log")
            .put("sha256", source.digest().toString());
    log.putObject("metadata").put("events", source.events());
    return log;
  }

  /** Keeps those that are about members which the segment has from its source. */
  private static void redactions(SourceReceipt source, ArrayNode redactions) {
    for (JsonNode each : source.list("/redactions")) {
      if (isCopied(each.path("field").asText())) {
        redactions.add(each);
      }
    }
  }

  private static void metadata(SourceReceipt source, ObjectNode metadata) {
    metadata
        .putObject("bridle.log")
        .put("events", source.events())
        .put("sha256", source.digest().toString());
    ArrayNode doubts = metadata.putArray("bridle.not_reported");
    for (JsonNode each : source.list("/metadata/bridle.not_reported")) {
      if (isCopied(each.asText())) {
        doubts.add(each);
      }
    }
  }

  private static boolean isCopied(String pointer) {
    return COPIED.stream()
        .anyMatch(member -> pointer.equals(member) || pointer.startsWith(member + "/"));
  }

  /** Returns the receipt with its hash and without a signature, which proves no origin. */
  public Receipt unsigned() {
    return Receipt.unsigned(content);
  }

  /** Returns the receipt signed by a key. The same key gives the same bytes. */
  public Receipt signed(SigningKey key) {
    ObjectNode named = content.deepCopy();
    named.withObjectProperty("issuer").put("public_key_id", key.id());
    return Receipt.parse(new ReceiptSigner(key).sign(named).bytes());
  }
}
