package dev.bridle.harp.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.time.Instant;
import java.util.Optional;

/**
 * What a person is to decide about: an action with its exact content, bound by its hash
 * (HARP-CORE). Immutable; all members count to the hash as they were received.
 */
public final class Artifact {
  /** The most bytes of an artifact on the wire: 2 MB. */
  public static final int MAX_BYTES = 2_000_000;

  private static final String HASH = "artifactHash";

  private static final Shape SHAPE =
      Shape.of("The artifact")
          .texts(true, "requestId", "repoRef")
          .texts(false, "sessionId", "baseRevision")
          .word(
              true,
              "artifactType",
              HarpErrorCode.UNSUPPORTED,
              "plan.review",
              "task.review",
              "patch.review",
              "command.review",
              "checkpoint.review")
          .times(true, "createdAt", "expiresAt")
          .objects(true, "payload")
          .word(true, "artifactHashAlg", HarpErrorCode.UNSUPPORTED, "SHA-256")
          .hashes(true, HASH)
          .objects(false, "metadata", "extensions");

  private final ObjectNode json;

  private Artifact(ObjectNode json) {
    this.json = json;
  }

  /**
   * Parses an artifact. Its hash is not checked: see {@link #verifyHash}.
   *
   * @throws HarpException {@code TRANSPORT}, {@code UNSUPPORTED} or {@code CANONICALIZATION}
   */
  public static Artifact parse(byte[] json) throws HarpException {
    return of(HarpJson.parse(json, MAX_BYTES));
  }

  /** Reads an artifact from a tree, as {@link #parse} does. */
  public static Artifact of(ObjectNode json) throws HarpException {
    SHAPE.check(json);
    ObjectNode copy = json.deepCopy();
    HarpJson.canonical(copy);
    return new Artifact(copy);
  }

  /**
   * Makes an artifact, with its hash.
   *
   * @param about what it is about
   * @param payload the content that is decided about
   * @throws HarpException {@code CANONICALIZATION} if the payload has no canonical bytes
   */
  public static Artifact create(About about, ObjectNode payload) throws HarpException {
    return create(about, payload, Optional.empty());
  }

  /**
   * Makes an artifact with extensions, which count to its hash.
   *
   * @param extensions extensions by their names
   */
  public static Artifact create(About about, ObjectNode payload, Optional<ObjectNode> extensions)
      throws HarpException {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("requestId", about.requestId())
            .put("artifactType", about.type())
            .put("repoRef", about.repoRef())
            .put("createdAt", Times.spell(about.createdAt()))
            .put("expiresAt", Times.spell(about.expiresAt()))
            .put("artifactHashAlg", "SHA-256");
    about.sessionId().ifPresent(id -> json.put("sessionId", id));
    json.set("payload", payload.deepCopy());
    extensions.ifPresent(some -> json.set("extensions", some.deepCopy()));
    return of(json.put(HASH, HarpJson.hashWithout(json, HASH)));
  }

  /**
   * What an artifact says beside its payload.
   *
   * @param requestId the request's id, which nothing else has
   * @param type one of the types that end in {@code .review}
   * @param repoRef an opaque reference to the place where the action is
   * @param createdAt in whole seconds
   * @param expiresAt until when it can be decided, in whole seconds
   * @param sessionId the session of the agent
   */
  public record About(
      String requestId,
      String type,
      String repoRef,
      Instant createdAt,
      Instant expiresAt,
      Optional<String> sessionId) {}

  /** Returns the request's id. */
  public String requestId() {
    return json.get("requestId").textValue();
  }

  /** Returns the type, such as {@code command.review}. */
  public String type() {
    return json.get("artifactType").textValue();
  }

  /** Returns the reference to the place where the action is. */
  public String repoRef() {
    return json.get("repoRef").textValue();
  }

  /** Returns the session of the agent. */
  public Optional<String> sessionId() {
    return Optional.ofNullable(json.get("sessionId")).map(id -> id.textValue());
  }

  /** Returns when it was made. */
  public Instant createdAt() {
    return time("createdAt");
  }

  /** Returns until when it can be decided. */
  public Instant expiresAt() {
    return time("expiresAt");
  }

  private Instant time(String member) {
    try {
      return Times.parse(json.get(member).textValue());
    } catch (HarpException e) {
      throw new IllegalStateException("checked when it was read", e);
    }
  }

  /** Returns a copy of what is decided about. */
  public ObjectNode payload() {
    return json.get("payload").deepCopy();
  }

  /** Returns the hash that it says it has, 64 hexadecimal digits. */
  public String hash() {
    return json.get(HASH).textValue();
  }

  /** Returns the canonical bytes that the hash is of: the artifact without it. */
  public byte[] signable() throws HarpException {
    return HarpJson.canonicalWithout(json, HASH);
  }

  /**
   * Checks that the hash is that of the content.
   *
   * @throws HarpException {@code HASH_MISMATCH} if it is another one's
   */
  public void verifyHash() throws HarpException {
    if (!HarpJson.hex(signable()).equals(hash())) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH, "hash", "artifactHash is not the hash of the artifact.");
    }
  }

  /** Returns a copy as JSON. */
  public ObjectNode json() {
    return json.deepCopy();
  }

  /** Without the payload, which may be anything. */
  @Override
  public String toString() {
    return "Artifact[" + requestId() + ", " + type() + ", " + hash() + "]";
  }
}
