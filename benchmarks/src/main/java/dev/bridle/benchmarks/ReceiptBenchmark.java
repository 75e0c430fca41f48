package dev.bridle.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.receipt.ReceiptSigner;
import dev.bridle.proof.receipt.SignedReceipt;
import dev.bridle.proof.verify.History;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Receipts issued and verified a second on one thread, beside bare Ed25519 signatures made and
 * verified over a receipt's hash with the same keys. A receipt of about 5 kB is built as a tree,
 * linked to its chain, signed and appended; it is verified with all checks, from its bytes on. Bare
 * and whole run in turns of a few milliseconds, and the median turns count, so that other load on
 * the machine meets both alike.
 *
 * <p>Usage: {@code ReceiptBenchmark [seconds]}.
 */
public final class ReceiptBenchmark {
  private static final int ROUNDS = 3;
  private static final long TURN_NANOS = 5_000_000;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Made beforehand, as the facts of a task are. */
  private static final List<String> HASHES =
      IntStream.range(0, 10).mapToObj(i -> Sha256.of(new byte[] {(byte) i}).toString()).toList();

  private final SigningKey key = SigningKey.ofSeed(new byte[32]);
  private final VerificationKey half = key.verificationKey(KeyValidity.UNBOUNDED);
  private final ReceiptSigner signer = new ReceiptSigner(key);
  private final ReceiptVerifier verifier = new ReceiptVerifier(Trust.of(KeySet.of(List.of(half))));
  private final double seconds;

  private ReceiptBenchmark(double seconds) {
    this.seconds = seconds;
  }

  /** Prints figures and ratios of each round; the first includes compilation. */
  public static void main(String[] args) {
    new ReceiptBenchmark(args.length > 0 ? Double.parseDouble(args[0]) : 2).run();
  }

  private void run() {
    ChainHead head = ChainHead.EMPTY.append(Sha256.of(new byte[] {1}));
    SignedReceipt sample = issue(head, 0);
    byte[] bytes = sample.bytes();
    byte[] message = sample.hash().toString().getBytes(US_ASCII);
    byte[] signature = key.sign(message);
    Table table = new Table(System.out);
    table.title("receipts of " + bytes.length + " bytes on one thread");
    table.head("round", "bare /s", "receipts /s", "ratio");
    for (int round = 1; round <= ROUNDS; round++) {
      compare(
          table,
          "sign, and issue",
          round,
          n -> key.sign(message).length > 0,
          n -> issue(head, n).hash().equals(sample.hash()) == (n == 0));
      compare(
          table,
          "verify",
          round,
          n -> half.verifies(message, signature),
          n -> verifier.verify(bytes, History.of(head)).isComplete());
    }
  }

  /** Returns whether an operation has succeeded. */
  private interface Operation {
    boolean run(long number);
  }

  private void compare(Table table, String what, int round, Operation bare, Operation whole) {
    List<Double> bareTurns = new ArrayList<>();
    List<Double> wholeTurns = new ArrayList<>();
    long end = System.nanoTime() + (long) (2 * seconds * 1e9);
    while (System.nanoTime() < end) {
      bareTurns.add(perSecond(bare));
      wholeTurns.add(perSecond(whole));
    }
    double ofBare = median(bareTurns);
    double ofWhole = median(wholeTurns);
    table.line(what, round, ofBare, ofWhole, ofWhole / ofBare);
  }

  private static double median(List<Double> figures) {
    return figures.stream().sorted().toList().get(figures.size() / 2);
  }

  private static double perSecond(Operation operation) {
    long began = System.nanoTime();
    long end = began + TURN_NANOS;
    long count = 0;
    while (System.nanoTime() < end) {
      if (!operation.run(count)) {
        throw new IllegalStateException("operation " + count + " has failed");
      }
      count++;
    }
    return count / ((System.nanoTime() - began) / 1e9);
  }

  private SignedReceipt issue(ChainHead head, long number) {
    ObjectNode receipt = receipt(number);
    head.link(receipt, 1);
    SignedReceipt signed = signer.sign(receipt);
    if (head.append(signed.hash()).count() != head.count() + 1) {
      throw new IllegalStateException("the receipt was not appended");
    }
    return signed;
  }

  private ObjectNode receipt(long number) {
    ObjectNode receipt = NODES.objectNode();
    receipt.put("schema", "receipt-2026-04-25").put("receipt_id", "receipt_" + number);
    receipt.putObject("subject").put("object", "task").put("id", "task_01");
    receipt
        .putObject("issuer")
        .put("id", "installation_01")
        .put("kind", "harness")
        .put("name", "Bridle")
        .put("version", "0.1.0")
        .put("public_key_id", key.id());
    receipt.put("issued_at", "2026-11-23T08:00:00.123Z");
    receipt
        .putObject("identifiers")
        .put("tenant_id", "default")
        .put("workspace_ref", "default")
        .put("session_id", "session_01")
        .put("task_id", "task_01")
        .put("trace_id", "4bf92f3577b34da6a3ce929d0e0e4736");
    receipt
        .putObject("lifecycle")
        .put("created_at", "2026-11-23T07:59:00.001Z")
        .put("started_at", "2026-11-23T07:59:00.102Z")
        .put("completed_at", "2026-11-23T08:00:00.123Z")
        .put("final_state", "SUCCEEDED")
        .putNull("failure");
    approvals(receipt.putArray("approvals"));
    receipt
        .putObject("trust")
        .put("start_tier", "act_with_approval")
        .put("end_tier", "act_with_approval");
    receipt
        .putObject("autonomy_budget")
        .putObject("consumed")
        .put("usd", BigDecimal.valueOf(184_200, 6))
        .put("input_tokens", 1800)
        .put("output_tokens", 420)
        .put("tool_calls", 8)
        .put("wall_time_ms", 60_021);
    work(receipt);
    return receipt;
  }

  private static void approvals(ArrayNode approvals) {
    for (int i = 0; i < 2; i++) {
      approvals
          .addObject()
          .put("approval_id", "approval_" + i)
          .put("actor", "user_maintainer")
          .put("action", "command")
          .put("decision", "approved")
          .put("decided_at", "2026-11-23T07:59:30.5Z")
          .put("evidence_hash", hash(i));
    }
  }

  private static void work(ObjectNode receipt) {
    ObjectNode replay = receipt.putObject("replay_input").put("determinism", "best_effort");
    ObjectNode effects = receipt.putObject("side_effects");
    for (String list : List.of("fs_writes", "network_egress", "tool_calls", "a2a_handoffs")) {
      effects.putArray(list);
    }
    for (int i = 0; i < 4; i++) {
      replay
          .withArray("materials")
          .addObject()
          .put("kind", "llm_provider_response")
          .put("id", "llm:main:" + i)
          .put("sha256", hash(i))
          .putObject("metadata")
          .put("size", 2048 + i)
          .put("sequence", 3 * i);
      effects
          .withArray("fs_writes")
          .addObject()
          .put("path", "src/main/File" + i + ".java")
          .put("operation", "modify")
          .put("before_sha256", hash(i))
          .put("after_sha256", hash(i + 1));
      effects
          .withArray("tool_calls")
          .addObject()
          .put("tool", "git.apply_patch")
          .put("call_id", "call_" + i)
          .put("status", "succeeded")
          .put("input_hash", hash(i));
      receipt
          .withArray("final_artifacts")
          .addObject()
          .put("artifact_id", "artifact_" + i)
          .put("kind", "file")
          .put("sha256", hash(i));
    }
    ObjectNode route = receipt.putObject("model_route").put("route_policy_reason", "redacted");
    route.putObject("chosen_model").put("provider", "example").put("model", "large");
    route.putArray("alternatives_considered");
    ObjectNode cost = receipt.putObject("cost").put("currency", "USD");
    cost.put("total", BigDecimal.valueOf(184_200, 6));
    cost.putArray("provider_breakdown")
        .addObject()
        .put("provider", "example")
        .put("amount", BigDecimal.valueOf(184_200, 6));
    receipt.putObject("metadata").putObject("bridle.log").put("digest", hash(9)).put("events", 24);
  }

  private static String hash(int of) {
    return HASHES.get(of);
  }
}
