package dev.bridle.harp.gateway;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.core.Scope;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.VerificationKey;
import java.util.List;
import java.util.Optional;

/**
 * The body by which an approver gives a decision to a gateway. It lacks members of the decision
 * that is signed, so an enforcer rebuilds that from the envelope and its own artifact. A decision
 * that reaches further than a single use can't be rebuilt so, and travels whole in the envelope's
 * trace, as an extension of this software; so do the salt of a signed reason, and the button that
 * was pressed, which is not signed.
 */
public final class DecisionSubmit {
  private static final String WHOLE = "dev.bridle.decision";
  private static final String ACTION = "dev.bridle.action";
  private static final String REASON = "dev.bridle.reason";
  private static final String REASON_SALT = "dev.bridle.reasonSalt";

  private static final Shape SHAPE =
      Shape.of("The body")
          .texts(true, "artifactHash", "signerKeyId", "nonce", "signature")
          .word(true, "decision", HarpErrorCode.TRANSPORT, "approve", "reject")
          .longTexts(false, "reason")
          .texts(false, "decisionHash");

  private final ObjectNode body;
  private final String requestId;
  private final Optional<String> expiresAt;
  private final ObjectNode trace;

  private DecisionSubmit(
      ObjectNode body, String requestId, Optional<String> expiresAt, ObjectNode trace) {
    this.body = body;
    this.requestId = requestId;
    this.expiresAt = expiresAt;
    this.trace = trace;
  }

  /**
   * Reads the body of an envelope.
   *
   * @throws HarpException {@code TRANSPORT} if it is not what its schema says
   */
  public static DecisionSubmit of(GatewayEnvelope envelope) throws HarpException {
    ObjectNode body = envelope.body();
    SHAPE.check(body);
    PrefixedHash.digits("artifactHash", body.get("artifactHash").textValue());
    return new DecisionSubmit(body, envelope.requestId(), envelope.expiresAt(), envelope.trace());
  }

  /** Returns the body for a decision, whose expiry the envelope has. */
  public static ObjectNode body(Decision decision, Optional<GivenReason> reason)
      throws HarpException {
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("artifactHash", "sha256:" + decision.subject().artifactHash())
            .put("decision", decision.answer().alias())
            .put("signerKeyId", decision.signerKeyId())
            .put("nonce", decision.nonce())
            .put("signature", decision.json().get("signature").textValue())
            .put("decisionHash", "sha256:" + decision.hash());
    reason.ifPresent(given -> body.put("reason", given.text()));
    return body;
  }

  /**
   * Returns what travels beside the body.
   *
   * @param action the button that was pressed
   * @param reason what the person says, which is in the body
   * @return the trace of the envelope; empty for none
   */
  public static Optional<ObjectNode> trace(
      Decision decision, Optional<String> action, Optional<GivenReason> reason) {
    ObjectNode trace = JsonNodeFactory.instance.objectNode();
    if (decision.isWider()) {
      trace.set(WHOLE, decision.json());
    }
    action.ifPresent(id -> trace.put(ACTION, id));
    reason.flatMap(GivenReason::salt).ifPresent(salt -> trace.put(REASON_SALT, salt.encoded()));
    return trace.isEmpty() ? Optional.empty() : Optional.of(trace);
  }

  /** Returns the id of the button that was pressed, which is not signed and decides nothing. */
  public Optional<String> action() {
    return Optional.of(trace.path(ACTION))
        .filter(id -> id.isTextual() && id.textValue().length() <= Shape.MAX_TEXT)
        .map(id -> id.textValue());
  }

  /** Returns the hash of the artifact that was decided on, 64 hexadecimal digits. */
  public String artifactHash() {
    try {
      return PrefixedHash.digits("artifactHash", body.get("artifactHash").textValue());
    } catch (HarpException e) {
      throw new IllegalStateException("checked when it was read", e);
    }
  }

  /** Returns by which the enforcer knows the key. */
  public String signerKeyId() {
    return body.get("signerKeyId").textValue();
  }

  /** Returns what no other decision of its key has. */
  public String nonce() {
    return body.get("nonce").textValue();
  }

  /** Returns what was decided. */
  public Answer answer() {
    return body.get("decision").textValue().equals(Answer.ALLOW.alias())
        ? Answer.ALLOW
        : Answer.DENY;
  }

  /**
   * Returns what the person said to it, which decides nothing. {@link GivenReason#check} says
   * whether it is signed.
   */
  public Optional<GivenReason> reason() {
    return Optional.ofNullable(body.get("reason")).map(text -> reason(text.textValue(), trace));
  }

  /**
   * Reads the reason that came beside a whole decision, in the trace of a core envelope: the
   * members {@code dev.bridle.reason} and {@code dev.bridle.reasonSalt}.
   *
   * @throws HarpException {@code TRANSPORT} if the reason is no text
   */
  public static Optional<GivenReason> reasonBeside(ObjectNode trace) throws HarpException {
    if (!trace.has(REASON)) {
      return Optional.empty();
    }
    if (!trace.get(REASON).isTextual()) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT, "schema", "`" + REASON + "` of the envelope is no text.");
    }
    return Optional.of(reason(trace.get(REASON).textValue(), trace));
  }

  private static GivenReason reason(String text, ObjectNode trace) {
    return new GivenReason(text, GivenReason.Salt.of(trace.path(REASON_SALT).asText()));
  }

  /**
   * Returns the core decision that was signed: the whole one, where that came too.
   *
   * @param repoRef the reference of the enforcer's own artifact
   * @param artifactExpiresAt the artifact's expiry as it is spelled, where the envelope has none
   * @throws HarpException {@code SIGNATURE_INVALID} if the key has signed it in neither spelling;
   *     {@code HASH_MISMATCH} if its hash is another one's, or the whole one is of another body
   */
  public Decision verified(String repoRef, String artifactExpiresAt, VerificationKey key)
      throws HarpException {
    if (trace.get(WHOLE) instanceof ObjectNode whole) {
      return verified(Decision.of(whole), key);
    }
    Decision.Content content =
        new Decision.Content(
            new Decision.Subject(
                requestId,
                PrefixedHash.digits("artifactHash", body.get("artifactHash").textValue()),
                repoRef),
            answer(),
            Scope.ONCE,
            expiresAt.orElse(artifactExpiresAt),
            nonce(),
            Decision.Hints.NONE);
    HarpException refused =
        new HarpException(HarpErrorCode.SIGNATURE_INVALID, "signature", "No spelling was tried.");
    for (String word : List.of(answer().spelled(), answer().alias())) {
      ObjectNode json = content.signable(signerKeyId(), word);
      Decision decision = Decision.of(json.put("signature", body.get("signature").textValue()));
      try {
        decision.verifySignature(key);
      } catch (HarpException e) {
        refused = e;
        continue;
      }
      checkHash(decision);
      return decision;
    }
    throw refused;
  }

  private Decision verified(Decision whole, VerificationKey key) throws HarpException {
    boolean isSame =
        whole.subject().requestId().equals(requestId)
            && whole.subject().artifactHash().equals(artifactHash())
            && whole.answer() == answer()
            && whole.signerKeyId().equals(signerKeyId())
            && whole.nonce().equals(nonce());
    if (!isSame) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH, "hash", "The whole decision is another one than the body.");
    }
    whole.verifySignature(key);
    checkHash(whole);
    return whole;
  }

  private void checkHash(Decision decision) throws HarpException {
    if (body.has("decisionHash")
        && !PrefixedHash.digits("decisionHash", body.get("decisionHash").textValue())
            .equals(decision.hash())) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH, "hash", "decisionHash is not the hash of the decision.");
    }
  }

  @Override
  public String toString() {
    return "DecisionSubmit[" + requestId + ", " + answer() + ", " + signerKeyId() + "]";
  }
}
