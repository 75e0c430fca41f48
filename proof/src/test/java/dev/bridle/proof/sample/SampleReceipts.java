package dev.bridle.proof.sample;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.schema.ReceiptSchema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Random;

/** Receipts of tasks, with all that the schema allows, without chain, hash and signature. */
public final class SampleReceipts {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Random random;
  private final SampleValues values;
  private final boolean rich;
  private int made;

  private SampleReceipts(Random random, boolean rich) {
    this.random = random;
    this.values = new SampleValues(random);
    this.rich = rich;
  }

  /** Makes receipts with lists of all kinds, odd texts and numbers. */
  public static SampleReceipts rich(Random random) {
    return new SampleReceipts(random, true);
  }

  /** Makes receipts that are short and easy to read. */
  public static SampleReceipts plain(Random random) {
    return new SampleReceipts(random, false);
  }

  /** Returns a receipt of a session that the current key is to sign. */
  public ObjectNode task(String session) {
    String number = String.format(Locale.ROOT, "%05d", made++);
    Instant issued = Instant.ofEpochSecond(SampleKeys.START).plusMillis(random.nextLong(1L << 34));
    ObjectNode receipt = NODES.objectNode();
    receipt.put("schema", ReceiptSchema.MARKER).put("receipt_id", "receipt_" + number);
    receipt.putObject("subject").put("object", "task").put("id", "task_" + number);
    issuer(receipt.putObject("issuer"));
    receipt.put("issued_at", issued.toString());
    identifiers(receipt.putObject("identifiers"), session, "task_" + number);
    lifecycle(receipt.putObject("lifecycle"), issued);
    approvals(receipt.putArray("approvals"), issued);
    receipt
        .putObject("trust")
        .put("start_tier", "act_auto")
        .put("end_tier", pick("act_auto", "suggest"));
    budget(receipt.putObject("autonomy_budget"));
    replayInput(receipt.putObject("replay_input"), "task_" + number);
    modelRoute(receipt.putObject("model_route"));
    cost(receipt.putObject("cost"));
    sideEffects(receipt.putObject("side_effects"));
    for (int i = count(3); i > 0; i--) {
      receipt
          .withArray("final_artifacts")
          .addObject()
          .put("artifact_id", "artifact_" + i)
          .put("kind", pick("file", "patch"))
          .put("sha256", hash());
    }
    receipt.withArray("final_artifacts");
    receipt.putArray("deltas");
    receipt
        .putArray("redactions")
        .addObject()
        .put("field", "/model_route/route_policy_reason")
        .put("reason", name())
        .put("proof_hash", hash());
    metadata(receipt.putObject("metadata"));
    return receipt;
  }

  private static void issuer(ObjectNode issuer) {
    issuer
        .put("id", "installation_1")
        .put("kind", "harness")
        .put("name", "Bridle")
        .put("version", "0.1.0")
        .put("public_key_id", SampleKeys.CURRENT.id());
  }

  private void identifiers(ObjectNode ids, String session, String task) {
    ids.put("tenant_id", "default")
        .put("workspace_ref", name())
        .put("session_id", session)
        .put("task_id", task)
        .put("trace_id", hash().substring(7, 39));
    if (random.nextBoolean()) {
      ids.put("persona_ref", "persona_1@" + random.nextInt(9)).put("branch_id", name());
    }
  }

  private void lifecycle(ObjectNode lifecycle, Instant issued) {
    String state = pick("SUCCEEDED", "FAILED", "CANCELED");
    lifecycle
        .put("created_at", issued.minusSeconds(90).toString())
        .put("started_at", issued.minusSeconds(80).toString())
        .put("completed_at", issued.toString())
        .put("final_state", state);
    if (state.equals("FAILED")) {
      lifecycle.putObject("failure").put("code", name()).put("commitment", hash());
    } else {
      lifecycle.putNull("failure");
    }
  }

  private void approvals(ArrayNode approvals, Instant issued) {
    for (int i = count(3); i > 0; i--) {
      ObjectNode approval = approvals.addObject();
      approval
          .put("approval_id", "approval_" + i)
          .put("actor", name())
          .put("action", "command")
          .put("decision", pick("approved", "denied", "canceled", "timeout"))
          .put("decided_at", issued.minusSeconds(i).toString())
          .put("evidence_hash", hash());
      approval.putObject("quorum_proof").put("required", 1).put("approved", random.nextInt(3));
    }
  }

  private void budget(ObjectNode budget) {
    budget
        .putObject("consumed")
        .put("usd", money())
        .put("input_tokens", random.nextInt(100_000))
        .put("output_tokens", random.nextInt(9_000))
        .put("tool_calls", random.nextInt(50))
        .put("wall_time_ms", random.nextInt(600_000));
    if (random.nextBoolean()) {
      budget.putObject("limit").put("usd", BigDecimal.valueOf(random.nextInt(100)));
    }
  }

  private void replayInput(ObjectNode input, String task) {
    input.put("determinism", pick("byte_deterministic", "best_effort"));
    ArrayNode materials = input.putArray("materials");
    materials
        .addObject()
        .put("kind", "event_log")
        .put("id", task)
        .put("uri", "/v1/tasks/" + task + "/log")
        .put("sha256", hash())
        .putObject("metadata")
        .put("events", random.nextInt(1000));
    for (int i = count(3); i > 0; i--) {
      materials
          .addObject()
          .put("kind", pick("llm_provider_response", "host_fact"))
          .put("id", "llm:" + name())
          .put("sha256", hash())
          .set("metadata", object(2));
    }
  }

  private void modelRoute(ObjectNode route) {
    route.putObject("chosen_model").put("provider", "example").put("model", name());
    route
        .putArray("alternatives_considered")
        .addObject()
        .put("provider", "example")
        .put("model", "small")
        .put("reason", name());
    route.put("route_policy_reason", "redacted");
  }

  private void cost(ObjectNode cost) {
    BigDecimal total = money();
    cost.put("currency", pick("USD", "EUR", "XXX")).put("total", total);
    cost.putArray("provider_breakdown")
        .addObject()
        .put("provider", "example")
        .put("amount", total)
        .put("input_tokens", random.nextInt(100_000))
        .set("metadata", object(1));
  }

  private void sideEffects(ObjectNode effects) {
    ArrayNode writes = effects.putArray("fs_writes");
    ArrayNode egress = effects.putArray("network_egress");
    ArrayNode calls = effects.putArray("tool_calls");
    effects
        .putArray("a2a_handoffs")
        .addObject()
        .put("target_agent", name())
        .put("task_id", "task_x")
        .put("status", pick("accepted", "completed"));
    for (int i = count(4); i > 0; i--) {
      writes
          .addObject()
          .put("path", "src/" + name())
          .put("operation", pick("create", "modify"))
          .putNull("before_sha256")
          .put("after_sha256", hash());
      egress
          .addObject()
          .put("destination", "api.example.com")
          .put("purpose", "redacted")
          .put("bytes_sent", random.nextInt(5000));
      calls
          .addObject()
          .put("tool", name())
          .put("call_id", "call_" + i)
          .put("status", pick("succeeded", "failed", "canceled"))
          .put("input_hash", hash())
          .set("metadata", object(1));
    }
  }

  private void metadata(ObjectNode metadata) {
    metadata.putObject("bridle.log").put("digest", hash()).put("events", random.nextInt(1000));
    metadata.putArray("bridle.not_reported").add("/cost");
    metadata.set("free", object(3));
  }

  private int count(int bound) {
    return rich ? random.nextInt(bound) : 0;
  }

  private String name() {
    return rich ? values.name() : "example";
  }

  private ObjectNode object(int depth) {
    return rich ? values.object(depth) : NODES.objectNode();
  }

  private BigDecimal money() {
    return BigDecimal.valueOf(random.nextInt(100_000_000), 6);
  }

  private String hash() {
    return Sha256.of(Long.toString(random.nextLong()).getBytes(StandardCharsets.US_ASCII))
        .toString();
  }

  private String pick(String... from) {
    return from[random.nextInt(from.length)];
  }
}
