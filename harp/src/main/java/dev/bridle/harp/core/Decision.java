package dev.bridle.harp.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.key.VerificationKey;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A person's decision about an artifact, signed by the key of their device (HARP-CORE). Immutable;
 * the signature is over the canonical form of the members as they were received.
 */
public final class Decision {
  /** The most bytes of a decision on the wire. */
  public static final int MAX_BYTES = 64 << 10;

  private static final String SIGNATURE = "signature";
  private static final String SESSION_ID = "sessionId";
  private static final String GRANT = "dev.bridle.grant";
  private static final String OPTION = "dev.bridle.option";
  private static final String REASON = "dev.bridle.reason";
  private static final Set<String> HINTS = Set.of(SESSION_ID, GRANT, OPTION, REASON);
  private static final int SIGNATURE_BYTES = 64;

  private static final Shape SHAPE =
      Shape.of("The decision")
          .texts(true, "requestId", "repoRef", "nonce", "signerKeyId", SIGNATURE)
          .word(true, "artifactHashAlg", HarpErrorCode.UNSUPPORTED, "SHA-256")
          .hashes(true, "artifactHash")
          .word(true, "decision", HarpErrorCode.UNSUPPORTED, "allow", "deny", "approve", "reject")
          .word(true, "scope", HarpErrorCode.SCOPE, "once", "timebox", "session")
          .times(true, "expiresAt")
          .word(true, "sigAlg", HarpErrorCode.UNSUPPORTED, "Ed25519")
          .objects(false, "policyHints");

  private final ObjectNode json;

  private Decision(ObjectNode json) {
    this.json = json;
  }

  /**
   * Parses a decision. Its signature is not checked: see {@link #verifySignature}.
   *
   * @throws HarpException {@code TRANSPORT}, {@code UNSUPPORTED}, {@code SCOPE}, {@code
   *     CANONICALIZATION}, or {@code SIGNATURE_INVALID} if the signature is no 64 bytes
   */
  public static Decision parse(byte[] json) throws HarpException {
    return of(HarpJson.parse(json, MAX_BYTES));
  }

  /** Reads a decision from a tree, as {@link #parse} does. */
  public static Decision of(ObjectNode json) throws HarpException {
    SHAPE.check(json);
    ObjectNode copy = json.deepCopy();
    if (HarpJson.canonical(copy).length > MAX_BYTES) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT, "too_large", "A decision has at most " + MAX_BYTES + " bytes.");
    }
    Decision decision = new Decision(copy);
    decision.signature();
    return decision;
  }

  /**
   * Signs a decision.
   *
   * @param content what is decided
   * @param signerKeyId by which the enforcer knows the key
   */
  public static Decision sign(Content content, String signerKeyId, SigningKey key)
      throws HarpException {
    ObjectNode json = content.signable(signerKeyId, content.answer().spelled());
    return of(json.put(SIGNATURE, Base64Url.encode(key.sign(HarpJson.canonical(json)))));
  }

  /**
   * What a decision says.
   *
   * @param subject what it is about
   * @param answer what was decided
   * @param scope how far it reaches
   * @param expiresAt until when it counts, as it is spelled
   * @param nonce what no other decision of the key has
   * @param hints what else is chosen or said
   */
  public record Content(
      Subject subject, Answer answer, Scope scope, String expiresAt, String nonce, Hints hints) {

    /** Returns a decision for a single use. */
    public static Content once(Subject subject, Answer answer, Instant expiresAt, String nonce) {
      return new Content(subject, answer, Scope.ONCE, Times.spell(expiresAt), nonce, Hints.NONE);
    }

    /** Returns the same as a whole decision for one of the agent's options. */
    public Content withOption(String chosen) {
      return with(
          scope, new Hints(hints.sessionId(), hints.grant(), Optional.of(chosen), hints.reason()));
    }

    /** Returns the same as a whole decision of another scope. */
    public Content withScope(Scope wider, Optional<String> session, Optional<String> chosen) {
      return with(wider, new Hints(session, chosen, hints.option(), hints.reason()));
    }

    /** Returns the same as a whole decision with the commitment of a salted reason. */
    public Content withReason(GivenReason reason) {
      return with(
          scope, new Hints(hints.sessionId(), hints.grant(), hints.option(), reason.commitment()));
    }

    private Content with(Scope reach, Hints signed) {
      return new Content(subject, answer, reach, expiresAt, nonce, signed);
    }

    /**
     * Returns what is signed.
     *
     * @param word how the answer is spelled
     */
    public ObjectNode signable(String signerKeyId, String word) {
      ObjectNode json =
          JsonNodeFactory.instance
              .objectNode()
              .put("requestId", subject.requestId())
              .put("artifactHashAlg", "SHA-256")
              .put("artifactHash", subject.artifactHash())
              .put("repoRef", subject.repoRef())
              .put("decision", word)
              .put("scope", scope.spelled())
              .put("expiresAt", expiresAt)
              .put("nonce", nonce)
              .put("sigAlg", "Ed25519")
              .put("signerKeyId", signerKeyId);
      put(json, SESSION_ID, hints.sessionId());
      put(json, GRANT, hints.grant());
      put(json, OPTION, hints.option());
      put(json, REASON, hints.reason());
      return json;
    }

    private static void put(ObjectNode json, String hint, Optional<String> value) {
      value.ifPresent(text -> json.withObject("/policyHints").put(hint, text));
    }
  }

  /**
   * What a decision chooses or says beside its answer.
   *
   * @param sessionId the session, for the scope of a session
   * @param grant the standing grant that it chooses, of those that were shown
   * @param option the agent's option that it chooses, of those that were shown
   * @param reason the {@link GivenReason#commitment commitment} of the person's reason
   */
  public record Hints(
      Optional<String> sessionId,
      Optional<String> grant,
      Optional<String> option,
      Optional<String> reason) {
    /** No hints. */
    public static final Hints NONE =
        new Hints(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * What a decision is about.
   *
   * @param requestId the request
   * @param artifactHash the hash of its artifact, 64 hexadecimal digits
   * @param repoRef the artifact's reference
   */
  public record Subject(String requestId, String artifactHash, String repoRef) {
    /** Returns what decisions about an artifact are about. */
    public static Subject of(Artifact artifact) {
      return new Subject(artifact.requestId(), artifact.hash(), artifact.repoRef());
    }
  }

  /** Returns what it is about. */
  public Subject subject() {
    return new Subject(text("requestId"), text("artifactHash"), text("repoRef"));
  }

  /** Returns what was decided. */
  public Answer answer() {
    try {
      return Answer.of(text("decision"));
    } catch (HarpException e) {
      throw new IllegalStateException("checked when it was read", e);
    }
  }

  /** Returns how far it reaches. */
  public Scope scope() {
    return Scope.valueOf(text("scope").toUpperCase(Locale.ROOT));
  }

  /** Returns until when it counts. */
  public Instant expiresAt() {
    try {
      return Times.parse(text("expiresAt"));
    } catch (HarpException e) {
      throw new IllegalStateException("checked when it was read", e);
    }
  }

  /** Returns what no other decision of its key has. */
  public String nonce() {
    return text("nonce");
  }

  /** Returns by which the enforcer knows the key. */
  public String signerKeyId() {
    return text("signerKeyId");
  }

  /** Returns the session that a decision for a session names. */
  public Optional<String> sessionId() {
    return hint(SESSION_ID);
  }

  /**
   * Returns the standing grant that a decision for longer than a single use chooses, of those that
   * were shown; an extension of this software.
   */
  public Optional<String> grant() {
    return hint(GRANT);
  }

  /**
   * Returns the agent's option that the decision chooses, of those that were shown; an extension of
   * this software.
   */
  public Optional<String> option() {
    return hint(OPTION);
  }

  /**
   * Returns the commitment of the reason that the person has given, see {@link GivenReason}; an
   * extension of this software.
   */
  public Optional<String> reasonCommitment() {
    return hint(REASON);
  }

  private Optional<String> hint(String name) {
    return Optional.of(json.path("policyHints").path(name))
        .filter(id -> id.isTextual() && !id.textValue().isEmpty())
        .map(id -> id.textValue());
  }

  /** Returns whether it is signed with hints beside those that this software knows. */
  public boolean hasOtherHints() {
    return json.path("policyHints").properties().stream()
        .anyMatch(hint -> !HINTS.contains(hint.getKey()));
  }

  /** Returns whether it says more than a gateway's message has a place for. */
  public boolean isWider() {
    return scope() != Scope.ONCE || json.has("policyHints");
  }

  /** Returns the canonical bytes that are signed: the decision without its signature. */
  public byte[] signable() throws HarpException {
    return HarpJson.canonicalWithout(json, SIGNATURE);
  }

  /** Returns the hash of what is signed, by which two decisions are the same. */
  public String hash() throws HarpException {
    return HarpJson.hex(signable());
  }

  /**
   * Checks that a key has signed it.
   *
   * @throws HarpException {@code SIGNATURE_INVALID} if it has not
   */
  public void verifySignature(VerificationKey key) throws HarpException {
    if (!key.verifies(signable(), signature())) {
      throw badSignature("The decision is not signed by that key.");
    }
  }

  private byte[] signature() throws HarpException {
    return Base64Url.decode(text(SIGNATURE))
        .filter(bytes -> bytes.length == SIGNATURE_BYTES)
        .orElseThrow(() -> badSignature("The signature is no 64 bytes in base64url."));
  }

  private static HarpException badSignature(String message) {
    return new HarpException(HarpErrorCode.SIGNATURE_INVALID, "signature", message);
  }

  private String text(String member) {
    return json.get(member).textValue();
  }

  /** Returns a copy as JSON. */
  public ObjectNode json() {
    return json.deepCopy();
  }

  @Override
  public String toString() {
    return "Decision[" + text("requestId") + ", " + text("decision") + ", " + signerKeyId() + "]";
  }
}
