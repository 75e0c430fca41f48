package dev.bridle.proof.sample;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.verify.Check;
import java.util.List;
import java.util.function.Consumer;

/** Receipts that are strict JSON, signed as they are, and not of the published schema. */
final class BrokenShape {
  private BrokenShape() {}

  static List<Breakage> all() {
    return List.of(
        Breakage.of("not-an-object", Check.SCHEMA, draft -> "[" + draft.signed() + "]"),
        Breakage.of("only-null", Check.SCHEMA, draft -> "null"),
        Breakage.of(
            "no-receipt-hash",
            Check.SCHEMA,
            draft -> draft.changed(one -> one.withObject("/chain").remove("receipt_hash"))),
        Breakage.of(
            "upper-case-hash",
            Check.SCHEMA,
            draft ->
                draft.changed(
                    one ->
                        one.withObject("/chain")
                            .put(
                                "receipt_hash",
                                "sha256:"
                                    + one.at("/chain/receipt_hash")
                                        .textValue()
                                        .substring(7)
                                        .replaceAll("[0-9]", "A")))),
        Breakage.of(
            "signature-without-key",
            Check.SCHEMA,
            draft -> draft.resigned(one -> one.remove("key_id"))),
        Breakage.of(
            "signed-at-no-time",
            Check.SCHEMA,
            draft -> draft.resigned(one -> one.put("signed_at", "now"))),
        shape("other-marker", one -> one.put("schema", "receipt-2026-04-26")),
        shape("no-lifecycle", one -> one.remove("lifecycle")),
        shape("no-handoffs", one -> one.withObject("/side_effects").remove("a2a_handoffs")),
        shape("unknown-member", one -> one.put("note", "")),
        shape("unknown-member-of-trust", one -> one.withObject("/trust").put("tier", "shadow")),
        shape("prototype-member", one -> one.withObject("/trust").put("__proto__", "shadow")),
        shape("inherited-member", one -> one.withObject("/trust").put("constructor", "shadow")),
        shape("empty-id", one -> one.put("receipt_id", "")),
        shape("id-not-a-text", one -> one.put("receipt_id", 7)),
        shape("session-null", one -> one.withObject("/identifiers").putNull("session_id")),
        shape("unknown-tier", one -> one.withObject("/trust").put("end_tier", "act")),
        shape(
            "state-in-lower-case",
            one -> one.withObject("/lifecycle").put("final_state", "succeeded")),
        shape("failure-a-text", one -> one.withObject("/lifecycle").put("failure", "none")),
        shape("approvals-an-object", one -> one.putObject("approvals")),
        shape("metadata-null", one -> one.putNull("metadata")),
        shape("currency-in-lower-case", one -> one.withObject("/cost").put("currency", "usd")),
        shape("currency-with-line-feed", one -> one.withObject("/cost").put("currency", "USD\n")),
        shape("negative-cost", one -> one.withObject("/cost").put("total", -0.01)),
        shape("cost-a-text", one -> one.withObject("/cost").put("total", "1")),
        shape(
            "half-a-token",
            one -> one.withObject("/autonomy_budget/consumed").put("input_tokens", 0.5)),
        shape(
            "tokens-true",
            one -> one.withObject("/autonomy_budget/consumed").put("input_tokens", true)),
        shape("unknown-budget", one -> one.withObject("/autonomy_budget/consumed").put("eur", 1)),
        shape(
            "bare-material",
            one ->
                one.withObject("/replay_input")
                    .withArray("materials")
                    .addObject()
                    .put("kind", "artifact")
                    .put("uri", "artifact://1")),
        shape(
            "empty-tool",
            one ->
                one.withObject("/side_effects")
                    .withArray("tool_calls")
                    .addObject()
                    .put("tool", "")
                    .put("call_id", "1")
                    .put("status", "failed")),
        shape(
            "hash-of-63-digits",
            one -> one.withObject("/chain").put("merkle_root", "sha256:" + "0".repeat(63))),
        shape(
            "hash-with-line-feed",
            one -> one.withObject("/chain").put("merkle_root", "sha256:" + "0".repeat(64) + "\n")),
        time("date-only", "2026-04-25"),
        time("no-offset", "2026-04-25T19:17:33"),
        time("space-for-t", "2026-04-25 19:17:33Z"),
        time("february-30", "2026-02-30T19:17:33Z"),
        time("february-29-of-2026", "2026-02-29T19:17:33Z"),
        time("month-0", "2026-00-10T19:17:33Z"),
        time("hour-24", "2026-04-25T24:00:00Z"),
        time("leap-second-at-noon", "2026-06-30T12:59:60Z"),
        time("offset-of-24-hours", "2026-04-25T19:17:33+24:00"),
        time("year-0", "0000-04-25T19:17:33Z"),
        time("time-with-line-feed", "2026-04-25T19:17:33Z\n"),
        time("digits-of-another-script", "२०२६-04-25T19:17:33Z"));
  }

  private static Breakage shape(String name, Consumer<ObjectNode> change) {
    return Breakage.of(name, Check.SCHEMA, draft -> draft.signedAfter(change));
  }

  private static Breakage time(String name, String time) {
    return shape("time-" + name, one -> one.withObject("/lifecycle").put("created_at", time));
  }
}
