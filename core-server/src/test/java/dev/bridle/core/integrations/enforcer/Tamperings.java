package dev.bridle.core.integrations.enforcer;

import static dev.bridle.core.integrations.enforcer.Bundle.Node.object;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Kinds of tampering with a bundle of evidence. Most are by who has the server's signing key. */
final class Tamperings {
  /** A key that the verifiers trust as the server's: whoever changes a bundle has it, too. */
  static final SigningKey SERVER = SigningKey.ofSeed(new byte[32]);

  /** A key that no device has. */
  private static final SigningKey THIEF =
      SigningKey.ofSeed(ByteString.copyFromUtf8("t".repeat(32)).toByteArray());

  private Tamperings() {}

  /**
   * A change of a bundle.
   *
   * @param check the check that has to fail
   */
  record Tampering(String check, Consumer<Bundle> change) {
    /** A change after which the receipt is signed by the server's own key. */
    static Tampering signed(String check, Consumer<Bundle> change) {
      return new Tampering(check, change.andThen(bundle -> bundle.signReceipt(SERVER)));
    }

    /** A change after which the enrolments are signed by the server's own key, too. */
    static Tampering signedWhole(String check, Consumer<Bundle> change) {
      return signed(check, change.andThen(bundle -> bundle.signEnrolments(SERVER)));
    }
  }

  /** Returns the kinds, each by what it does. */
  static Map<String, Tampering> kinds() {
    Map<String, Tampering> kinds = new LinkedHashMap<>();
    changesOfBytes(kinds);
    changesOfAnswers(kinds);
    changesOfWhatWasShown(kinds);
    changesOfTheLog(kinds);
    return kinds;
  }

  /** What anybody can change who carries the bundle. */
  private static void changesOfBytes(Map<String, Tampering> kinds) {
    kinds.put(
        "a member of the receipt", new Tampering("hash", b -> b.approval(0).put("actor", "eve")));
    kinds.put(
        "another's signature of the receipt",
        new Tampering("signature", b -> spoil((ObjectNode) b.receipt().get("signatures").get(0))));
    kinds.put("no evidence", new Tampering("evidence", b -> b.remove("evidence", 1)));
    kinds.put("evidence twice", new Tampering("evidence", b -> b.add("evidence", b.evidence(0))));
    kinds.put(
        "a member of the evidence",
        new Tampering("evidence_hash", b -> b.answer(0, 0).put("actor", "eve")));
    kinds.put(
        "an answer left out of the evidence",
        new Tampering(
            "evidence_hash",
            b -> {
              ((ArrayNode) b.evidence(1).get("decisions")).remove(1);
              b.remove("artifact", 2);
            }));
    kinds.put(
        "a revocation before the decision",
        new Tampering(
            "revocation",
            b ->
                b.add(
                    "revocation",
                    b.receipt()
                        .objectNode()
                        .put("revoked_at", "2020-01-01T00:00:00Z")
                        .put(
                            "approval_device_id",
                            b.enrolment(0, 0).get("approval_device_id").textValue()))));
  }

  private static void spoil(ObjectNode signature) {
    byte[] bytes = Base64Url.decode(signature.get("signature").textValue()).orElseThrow();
    bytes[7] ^= 1;
    signature.put("signature", Base64Url.encode(bytes));
  }

  /** What a server can try that makes answers up, and signs what it says with its own keys. */
  private static void changesOfAnswers(Map<String, Tampering> kinds) {
    kinds.put(
        "the evidence of another task",
        Tampering.signed(
            "approval", b -> object(b.evidence(0), "approval").put("task_id", "task_other")));
    kinds.put(
        "fewer required",
        Tampering.signed("quorum", b -> object(b.evidence(1), "quorum").put("required", 1)));
    kinds.put(
        "another rule",
        Tampering.signed(
            "quorum",
            b -> object(b.evidence(1).get("quorum"), "rule").put("usable_for_seconds", 9)));
    kinds.put(
        "one person counted twice",
        Tampering.signed(
            "quorum",
            b -> {
              b.answer(1, 1).put("actor", "ada");
              ((ArrayNode) b.proof(1).get("actors")).remove(1);
            }));
    kinds.put(
        "somebody who has not signed",
        Tampering.signed("quorum", b -> ((ArrayNode) b.proof(0).get("actors")).add("eve")));
    kinds.put(
        "a device of somebody else",
        Tampering.signed(
            "enrolment",
            b -> {
              b.answer(0, 0).put("actor", "eve");
              b.enrolment(0, 0).put("principal", "eve");
              ((ArrayNode) b.proof(0).get("actors")).removeAll().add("eve");
            }));
    kinds.put(
        "a device that was enrolled later",
        Tampering.signedWhole(
            "enrolment", b -> b.enrolment(0, 0).put("enrolled_at", "2999-01-01T00:00:00Z")));
    kinds.put(
        "another key of the device",
        Tampering.signedWhole(
            "decision_signature",
            b ->
                b.enrolment(0, 0)
                    .put(
                        "signing_key",
                        Base64Url.encode(
                            THIEF.verificationKey(KeyValidity.UNBOUNDED).publicKey()))));
    kinds.put(
        "a no made a yes",
        Tampering.signedWhole(
            "decision_signature",
            b -> {
              countAsApproved(b);
              object(b.answer(2, 0), "decision").put("decision", "allow");
            }));
    kinds.put(
        "a no counted as a yes", Tampering.signedWhole("decision", Tamperings::countAsApproved));
    kinds.put(
        "a decision counted twice",
        Tampering.signedWhole(
            "decision",
            b -> {
              b.answer(1, 0).set("decision", b.answer(0, 0).get("decision").deepCopy());
              b.remove("artifact", 1);
            }));
    kinds.put(
        "a decision counted after its end",
        Tampering.signedWhole(
            "decision",
            b ->
                b.answer(0, 0)
                    .put("answered_at", "2998-01-01T00:00:00Z")
                    .put("asked_until", "2999-01-01T00:00:00Z")));
  }

  private static void countAsApproved(Bundle bundle) {
    bundle.answer(2, 0).put("approved", true);
    object(bundle.evidence(2), "approval").put("decision", "approved");
    bundle.approval(2).put("decision", "approved");
    bundle.proof(2).put("approved", 1).put("denied", 0);
  }

  private static void changesOfWhatWasShown(Map<String, Tampering> kinds) {
    kinds.put(
        "other content",
        new Tampering(
            "artifact",
            b -> object(b.artifact(0), "payload").put("content", "{\"command\":\"rm -r /\"}")));
    kinds.put(
        "other content, hashed again",
        new Tampering(
            "issuer",
            b -> {
              object(b.artifact(0), "payload").put("prompt", "Nothing to see.");
              hashAgain(b.artifact(0));
            }));
    kinds.put(
        "other content without the server's signature, hashed again",
        new Tampering(
            "artifact",
            b -> {
              object(b.artifact(0), "payload").put("prompt", "Nothing to see.");
              hashUnsigned(b.artifact(0));
            }));
    kinds.put(
        "another salt",
        new Tampering("artifact", b -> object(b.artifact(0), "payload").put("salt", "AAAA")));
    kinds.put(
        "what was shown for another approval",
        new Tampering(
            "artifact",
            b -> {
              String one = b.artifact(0).get("requestId").textValue();
              ObjectNode other = b.artifact(1).deepCopy();
              b.remove("artifact", 0);
              b.add("artifact", other.put("requestId", one));
              hashUnsigned(other);
            }));
    kinds.put(
        "what nobody has decided about",
        new Tampering(
            "artifact",
            b -> {
              ObjectNode more = b.artifact(0).deepCopy().put("requestId", "harp_other");
              hashUnsigned(more);
              b.add("artifact", more);
            }));
  }

  private static void hashUnsigned(ObjectNode artifact) {
    object(artifact, "payload").remove("issuer");
    hashAgain(artifact);
  }

  private static void hashAgain(ObjectNode artifact) {
    try {
      ObjectNode rest = artifact.deepCopy();
      rest.remove("artifactHash");
      artifact.put("artifactHash", HarpJson.hex(HarpJson.canonical(rest)));
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  private static void changesOfTheLog(Map<String, Tampering> kinds) {
    kinds.put("an event left out", new Tampering("log", b -> b.remove("event", 3)));
    kinds.put(
        "an event changed", new Tampering("log", b -> b.all("event").get(2).put("actor", "eve")));
    kinds.put(
        "another use",
        new Tampering(
            "executed", b -> b.used(0).put("payload", b.used(1).get("payload").textValue())));
    kinds.put(
        "another action executed, and the log signed again",
        Tampering.signed(
            "executed",
            b -> {
              String payload = b.used(0).get("payload").textValue();
              Bundle.commit(
                  b.used(0), payload.replaceFirst("sha256:[0-9a-f]{8}", "sha256:00000000"));
              b.digestLog();
            }));
    kinds.put(
        "an approval used twice, and the log signed again",
        Tampering.signed(
            "executed",
            b -> {
              ObjectNode more = b.used(0).deepCopy();
              b.add("event", more.put("sequence", b.all("event").size()));
              b.digestLog();
            }));
    kinds.put(
        "what was denied executed, and the log signed again",
        Tampering.signed(
            "executed",
            b -> {
              String id = b.approval(2).get("approval_id").textValue();
              ObjectNode more = b.used(0).deepCopy();
              b.add("event", more.put("sequence", b.all("event").size()));
              Bundle.commit(more, "{\"permission_request_id\":\"" + id + "\"}");
              b.digestLog();
            }));
  }
}
