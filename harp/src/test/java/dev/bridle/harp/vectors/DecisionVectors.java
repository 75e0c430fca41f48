package dev.bridle.harp.vectors;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.core.Scope;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.proof.key.Base64Url;
import java.util.Optional;

/** Decisions about the artifact with buttons, and the messages that carry them to a relay. */
final class DecisionVectors {
  private static final String SENT_AT = "2026-02-21T12:01:00Z";
  private static final String EXPIRES_AT = "2026-02-21T12:05:00Z";
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Artifact artifact;
  private final ArrayNode all = NODES.arrayNode();

  private DecisionVectors(Artifact artifact) {
    this.artifact = artifact;
  }

  static ArrayNode json() throws HarpException {
    DecisionVectors vectors = new DecisionVectors(ArtifactVectors.withButtons());
    Optional<String> none = Optional.empty();
    Optional<GivenReason> silent = Optional.empty();
    vectors.add("allow, once", "allow", vectors.once(Answer.ALLOW), silent, none);
    vectors.add(
        "allow, in the later spelling", "approve", vectors.once(Answer.ALLOW), silent, none);
    vectors.add(
        "deny, with a reason and a button",
        "deny",
        vectors.once(Answer.DENY),
        Optional.of(GivenReason.unsigned("Not on a Friday \u2014 \"please\"")),
        Optional.of("cancel"));
    vectors.add("deny, in the later spelling", "reject", vectors.once(Answer.DENY), silent, none);
    vectors.add(
        "allow, with an option of the agent",
        "allow",
        vectors.once(Answer.ALLOW).withOption("dry-run"),
        silent,
        Optional.of("dry-run"));
    vectors.add(
        "allow for the session, with an option and a grant",
        "allow",
        vectors
            .once(Answer.ALLOW)
            .withOption("deploy")
            .withScope(
                Scope.SESSION,
                Optional.of(vectors.artifact.payload().get("sessionId").textValue()),
                Optional.of("this_action")),
        silent,
        none);
    vectors.add(
        "allow for a time, in the later spelling",
        "approve",
        vectors
            .once(Answer.ALLOW)
            .withOption("deploy")
            .withScope(Scope.TIMEBOX, Optional.empty(), Optional.empty()),
        silent,
        none);
    GivenReason reason =
        GivenReason.salted(
            "Only \u201cstaging\u201d, not yet \ud83d\udea6",
            GivenReason.Salt.of(Base64Url.encode(FixedRandom.count(0x60, 32))).orElseThrow());
    vectors.add(
        "deny, with a reason that is signed",
        "deny",
        vectors.once(Answer.DENY).withReason(reason),
        Optional.of(reason),
        none);
    return vectors.all;
  }

  private Decision.Content once(Answer answer) {
    byte[] nonce = FixedRandom.count(0xc0 + all.size(), 16);
    return new Decision.Content(
        Decision.Subject.of(artifact),
        answer,
        Scope.ONCE,
        EXPIRES_AT,
        Base64Url.encode(nonce),
        Decision.Hints.NONE);
  }

  private void add(
      String name,
      String word,
      Decision.Content content,
      Optional<GivenReason> reason,
      Optional<String> action)
      throws HarpException {
    String keyId = VectorKeys.DEVICE.signerKeyId();
    ObjectNode signable = content.signable(keyId, word);
    byte[] signature = VectorKeys.DEVICE.signing().sign(HarpJson.canonical(signable));
    Decision decision = Decision.of(signable.put("signature", Base64Url.encode(signature)));
    ObjectNode vector = all.addObject().put("name", name);
    ObjectNode input =
        vector
            .putObject("input")
            .put("word", word)
            .put("scope", content.scope().spelled())
            .put("expiresAt", content.expiresAt())
            .put("nonce", content.nonce())
            .put("sentAt", SENT_AT);
    content.hints().sessionId().ifPresent(id -> input.put("sessionId", id));
    content.hints().grant().ifPresent(id -> input.put("grant", id));
    content.hints().option().ifPresent(id -> input.put("option", id));
    reason.ifPresent(given -> input.put("reason", given.text()));
    reason.flatMap(GivenReason::salt).ifPresent(salt -> input.put("reasonSalt", salt.encoded()));
    action.ifPresent(id -> input.put("action", id));
    vector
        .put("signed", new String(decision.signable(), UTF_8))
        .put("hash", decision.hash())
        .set("decision", decision.json());
    vector.set("submit", submit(decision, reason, action));
  }

  private static ObjectNode submit(
      Decision decision, Optional<GivenReason> reason, Optional<String> action)
      throws HarpException {
    ObjectNode submit =
        NODES
            .objectNode()
            .put("msgType", "decision.submit")
            .put("requestId", decision.subject().requestId())
            .put("createdAt", SENT_AT)
            .put("expiresAt", EXPIRES_AT);
    submit.putObject("sender").put("approverId", PairingVectors.APPROVER);
    DecisionSubmit.trace(decision, action, reason).ifPresent(trace -> submit.set("trace", trace));
    submit.set("body", DecisionSubmit.body(decision, reason));
    return submit;
  }
}
