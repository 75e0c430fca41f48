package dev.bridle.harp.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * A server's signature over a statement, by a key that it publishes: {@code algorithm}, {@code
 * key_id}, {@code signature} and {@code signed_at}. An artifact of such a server has one in its
 * payload, so that a device knows who asks.
 */
public final class IssuerSignature {
  private static final String MEMBER = "issuer";

  private IssuerSignature() {}

  /** Returns what is signed of an artifact: all of it, without its hash and this signature. */
  public static byte[] statement(Artifact artifact) throws HarpException {
    ObjectNode json = artifact.json();
    ((ObjectNode) json.get("payload")).remove(MEMBER);
    json.remove("artifactHash");
    return HarpJson.canonical(json);
  }

  /** Puts a signature into a payload. */
  public static void put(ObjectNode payload, JsonNode signature) {
    payload.set(MEMBER, signature);
  }

  /** Returns whether an artifact says that a server has signed it. */
  public static boolean isOn(Artifact artifact) {
    return artifact.payload().has(MEMBER);
  }

  /**
   * Verifies the signature of an artifact.
   *
   * @return the id of the key; empty if it is none of these
   * @throws HarpException as {@link #check}
   */
  public static Optional<String> verify(Artifact artifact, KeySet keys) throws HarpException {
    JsonNode signature = artifact.payload().path(MEMBER);
    return check(signature, statement(artifact), keys)
        .map(signedAt -> signature.path("key_id").asText());
  }

  /**
   * Verifies a signature.
   *
   * @return when it was made, as it says; empty if its key is none of these, or one that others may
   *     have had by then
   * @throws HarpException {@code SIGNATURE_INVALID} if the key has not signed that, or was not
   *     valid then
   */
  public static Optional<Instant> check(JsonNode signature, byte[] statement, KeySet keys)
      throws HarpException {
    Optional<VerificationKey> key = keys.find(signature.path("key_id").asText());
    if (key.isEmpty()) {
      return Optional.empty();
    }
    boolean holds =
        signature.path("algorithm").asText().equals("Ed25519")
            && Base64Url.decode(signature.path("signature").asText())
                .filter(bytes -> key.get().verifies(statement, bytes))
                .isPresent();
    if (!holds) {
      throw refused("the issuer has not signed it");
    }
    Instant signedAt = signedAt(signature);
    Optional<String> fault = key.get().validity().faultAt(signedAt.getEpochSecond());
    if (fault.isPresent()) {
      throw refused(fault.get());
    }
    return key.get().validity().doubtAt(signedAt.getEpochSecond()).isPresent()
        ? Optional.empty()
        : Optional.of(signedAt);
  }

  private static Instant signedAt(JsonNode signature) throws HarpException {
    String text = signature.path("signed_at").asText();
    if (!text.endsWith("Z")) {
      throw refused("the issuer's `signed_at` is no time in UTC");
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw refused("the issuer's `signed_at` is no time in UTC");
    }
  }

  private static HarpException refused(String why) {
    return new HarpException(HarpErrorCode.SIGNATURE_INVALID, "issuer", why);
  }
}
