package dev.bridle.harp.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.time.Instant;
import java.util.Optional;

/** Words of a person for an agent, bound by their hash (HARP-PROMPT, {@code prompt.send}). */
public final class Prompt {
  /** The most bytes of a prompt: 256 KB. */
  public static final int MAX_BYTES = 256_000;

  private static final String HASH = "promptHash";

  private static final Shape SHAPE =
      Shape.of("The prompt")
          .texts(true, "requestId")
          .texts(false, "sessionId", "repoRef")
          .word(true, "artifactType", HarpErrorCode.UNSUPPORTED, "prompt.send")
          .times(true, "createdAt")
          .word(
              true,
              "target",
              HarpErrorCode.PROMPT_TARGET_UNSUPPORTED,
              "agentChat",
              "composer",
              "tool",
              "other")
          .longTexts(true, "text")
          .objects(false, "metadata", "extensions")
          .word(true, "promptHashAlg", HarpErrorCode.UNSUPPORTED, "SHA-256")
          .hashes(true, HASH);

  private final ObjectNode json;

  private Prompt(ObjectNode json) {
    this.json = json;
  }

  /**
   * Parses a prompt and checks its hash.
   *
   * @throws HarpException {@code PROMPT_TOO_LARGE}, {@code TRANSPORT}, {@code UNSUPPORTED}, {@code
   *     PROMPT_TARGET_UNSUPPORTED}, {@code CANONICALIZATION} or {@code HASH_MISMATCH}
   */
  public static Prompt parse(byte[] bytes) throws HarpException {
    if (bytes.length > MAX_BYTES) {
      throw new HarpException(
          HarpErrorCode.PROMPT_TOO_LARGE,
          "too_large",
          "The prompt has " + bytes.length + " bytes; at most " + MAX_BYTES + " are taken.");
    }
    ObjectNode json = HarpJson.parse(bytes, MAX_BYTES);
    SHAPE.check(json);
    if (json.get("text").textValue().isEmpty()) {
      throw new HarpException(HarpErrorCode.TRANSPORT, "schema", "The prompt has an empty text.");
    }
    if (!HarpJson.hashWithout(json, HASH).equals(json.get(HASH).textValue())) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH, "hash", "promptHash is not the hash of the prompt.");
    }
    Prompt prompt = new Prompt(json);
    prompt.expiresAt();
    return prompt;
  }

  /** Returns the request's id, which with the hash makes it one of a kind. */
  public String requestId() {
    return json.get("requestId").textValue();
  }

  /** Returns its hash. */
  public String hash() {
    return json.get(HASH).textValue();
  }

  /** Returns the session that it is for, if it names one. */
  public Optional<String> sessionId() {
    return Optional.ofNullable(json.get("sessionId")).map(JsonNode::textValue);
  }

  /** Returns the repository that it is about, if it names one; a name, and nothing more. */
  public Optional<String> repoRef() {
    return Optional.ofNullable(json.get("repoRef")).map(JsonNode::textValue);
  }

  /** Returns when it was made, in whole seconds. */
  public Instant createdAt() {
    try {
      return Times.parse(json.get("createdAt").textValue());
    } catch (HarpException e) {
      throw new IllegalStateException("checked when it was read", e);
    }
  }

  /** Returns where it is to go, such as {@code agentChat}. */
  public String target() {
    return json.get("target").textValue();
  }

  /** Returns the words. */
  public String text() {
    return json.get("text").textValue();
  }

  /** Returns until when it is to be delivered, if it says so in its extension. */
  public Optional<Instant> expiresAt() throws HarpException {
    JsonNode said = json.path("extensions").path("harpPrompt").path("expiresAt");
    return said.isMissingNode() ? Optional.empty() : Optional.of(Times.parse(said.asText("")));
  }

  /** Without the words, which are somebody's. */
  @Override
  public String toString() {
    return "Prompt[" + requestId() + ", " + hash() + "]";
  }
}
