package dev.bridle.proof.sample;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.verify.Check;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Receipts of the right shape that prove nothing. */
final class BrokenProof {
  private static final String OTHER_HASH = "sha256:" + "0".repeat(64);

  private BrokenProof() {}

  static List<Breakage> all() {
    return List.of(
        hash("changed-cost", one -> one.withObject("/cost").put("total", 1e-7)),
        hash(
            "changed-state",
            one -> one.withObject("/lifecycle").put("created_at", "2026-01-01T00:00:00Z")),
        hash("changed-metadata", one -> one.withObject("/metadata").put("added", 1)),
        hash("changed-hash", one -> one.withObject("/chain").put("receipt_hash", OTHER_HASH)),
        hash(
            "changed-previous",
            one -> one.withObject("/chain").put("previous_receipt_hash", OTHER_HASH)),
        hash(
            "changed-issuer-key",
            one -> one.withObject("/issuer").put("public_key_id", SampleKeys.WITNESS.id())),
        hash("removed-redactions", one -> one.remove("redactions")),
        link(
            "first-with-previous",
            one -> {
              one.withObject("/metadata/bridle.chain").put("index", 0);
              one.withObject("/chain").put("previous_receipt_hash", OTHER_HASH);
            }),
        link(
            "later-without-previous",
            one -> {
              one.withObject("/metadata/bridle.chain").put("index", 3);
              one.withObject("/chain").putNull("previous_receipt_hash");
            }),
        link("position-a-text", one -> one.withObject("/metadata").put("bridle.chain", "0")),
        link("position-null", one -> one.withObject("/metadata").putNull("bridle.chain")),
        link("index-negative", one -> one.withObject("/metadata/bridle.chain").put("index", -1)),
        link("index-true", one -> one.withObject("/metadata/bridle.chain").put("index", true)),
        link("index-half", one -> one.withObject("/metadata/bridle.chain").put("index", 1.5)),
        link("index-huge", one -> one.withObject("/metadata/bridle.chain").put("index", 1e300)),
        link("era-missing", one -> one.withObject("/metadata/bridle.chain").remove("era")),
        signature("not-signed", draft -> draft.changed(one -> one.remove("signatures"))),
        signature("no-signatures", draft -> draft.changed(one -> one.putArray("signatures"))),
        resigned("other-key-id", one -> one.put("key_id", SampleKeys.WITNESS.id())),
        resigned("unknown-key-id", one -> one.put("key_id", SampleKeys.UNKNOWN.id())),
        resigned("algorithm-in-lower-case", one -> one.put("algorithm", "ed25519")),
        resigned("algorithm-none", one -> one.put("algorithm", "none")),
        resigned(
            "first-digit-changed",
            one -> respell(one, text -> (text.startsWith("A") ? "B" : "A") + text.substring(1))),
        resigned(
            "unused-bits-set",
            one -> respell(one, text -> text.substring(0, 85) + (char) (text.charAt(85) + 1))),
        resigned("padded", one -> respell(one, text -> text + "==")),
        resigned("one-byte-less", one -> respell(one, text -> Base64Url.encode(new byte[63]))),
        resigned("two-bytes-more", one -> respell(one, text -> text + "AA")),
        resigned("all-zero", one -> respell(one, text -> Base64Url.encode(new byte[64]))),
        resigned("standard-alphabet", one -> respell(one, text -> "+/" + text.substring(2))),
        resigned("with-space", one -> respell(one, text -> text + " ")),
        resigned("beyond-ascii", one -> respell(one, text -> "é" + text.substring(1))),
        signedOver("of-other-hash", SampleKeys.CURRENT, hash -> OTHER_HASH.getBytes(US_ASCII)),
        signedOver(
            "of-raw-hash", SampleKeys.CURRENT, hash -> Sha256.parse(hash).orElseThrow().bytes()),
        signedOver(
            "of-hash-without-prefix",
            SampleKeys.CURRENT,
            hash -> hash.substring(7).getBytes(US_ASCII)),
        signedOver("of-other-key", SampleKeys.UNKNOWN, hash -> hash.getBytes(US_ASCII)),
        signature("second-one-wrong", BrokenProof::wrongWitness),
        validity("expired-key", draft -> draft.signed(SampleKeys.EXPIRED)),
        validity("future-key", draft -> draft.signed(SampleKeys.FUTURE)),
        validity("compromised-key", draft -> draft.signed(SampleKeys.COMPROMISED)),
        validity(
            "superseded-key", draft -> at(draft, SampleKeys.MIDDLE).signed(SampleKeys.SUPERSEDED)),
        validity("end-of-key", draft -> at(draft, SampleKeys.END).signed()),
        validity("before-begin-of-key", draft -> at(draft, SampleKeys.START - 1).signed()),
        validity(
            "signed-later",
            draft -> draft.resigned(one -> one.put("signed_at", "2026-12-31T00:00:00Z"))),
        validity(
            "signed-at-respelled",
            draft ->
                draft.resigned(
                    one ->
                        one.put(
                            "signed_at", one.get("signed_at").textValue().replace("Z", "+00:00")))),
        validity(
            "witness-before-issuer", draft -> draft.witnessed(issued -> issued.minusSeconds(1))));
  }

  private static Draft at(Draft draft, long second) {
    draft.receipt().put("issued_at", Instant.ofEpochSecond(second).toString());
    return draft;
  }

  private static String wrongWitness(Draft draft) {
    return draft.changed(
        one ->
            one.withArray("signatures")
                .addObject()
                .put("key_id", SampleKeys.WITNESS.id())
                .put("algorithm", "Ed25519")
                .put("signature", Base64Url.encode(new byte[64])));
  }

  private static void respell(ObjectNode signature, UnaryOperator<String> change) {
    signature.put("signature", change.apply(signature.get("signature").textValue()));
  }

  private interface Message {
    byte[] of(String hash);
  }

  private static Breakage signedOver(String name, SigningKey key, Message message) {
    return signature(
        name,
        draft ->
            draft.changed(
                one -> {
                  JsonNode hash = one.at("/chain/receipt_hash");
                  ((ObjectNode) one.get("signatures").get(0))
                      .put("signature", Base64Url.encode(key.sign(message.of(hash.textValue()))));
                }));
  }

  private static Breakage hash(String name, Consumer<ObjectNode> change) {
    return Breakage.of(name, Check.HASH, draft -> draft.changed(change));
  }

  private static Breakage link(String name, Consumer<ObjectNode> change) {
    return Breakage.of(name, Check.LINK, draft -> draft.signedAfter(change));
  }

  private static Breakage resigned(String name, Consumer<ObjectNode> change) {
    return Breakage.of("signature-" + name, Check.SIGNATURE, draft -> draft.resigned(change));
  }

  private static Breakage signature(String name, Function<Draft, String> text) {
    return Breakage.of("signature-" + name, Check.SIGNATURE, text);
  }

  private static Breakage validity(String name, Function<Draft, String> text) {
    return Breakage.of(name, Check.KEY_VALIDITY, text);
  }
}
