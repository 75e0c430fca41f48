package dev.bridle.harp.gateway;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.SealedArtifact;
import dev.bridle.proof.key.Base64Url;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The body by which an enforcer gives a sealed artifact to a gateway. */
public final class ArtifactSubmit {
  private static final String ALGORITHM = "XChaCha20-Poly1305";

  private static final Shape SHAPE =
      Shape.of("The body")
          .texts(true, "artifactType", "artifactHash")
          .objects(true, "ciphertext")
          .objects(false, "metadata")
          .times(true, "expiresAt");

  /** What an artifact may have beside its header and payload. */
  private static final List<String> UNSENT =
      List.of("sessionId", "baseRevision", "metadata", "extensions");

  /** How the gateway's names of the members of a seal differ from those of a sealed artifact. */
  private static final Map<String, String> RENAMED = Map.of("encAlg", "alg", "ciphertext", "data");

  private final ObjectNode body;

  private ArtifactSubmit(ObjectNode body) {
    this.body = body;
  }

  /**
   * Reads the body of an envelope.
   *
   * @throws HarpException {@code UNSUPPORTED} if it holds a plaintext, or is sealed by another
   *     algorithm; {@code TRANSPORT} if it is not what its schema says
   */
  public static ArtifactSubmit of(GatewayEnvelope envelope) throws HarpException {
    ObjectNode body = envelope.body();
    if (body.has("payload")) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED, "plaintext", "A gateway takes no plaintext payload.");
    }
    SHAPE.check(body);
    PrefixedHash.digits("artifactHash", body.get("artifactHash").textValue());
    String algorithm = body.get("ciphertext").path("alg").asText("");
    if (!algorithm.equals(ALGORITHM)) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED,
          "unknown_algorithm",
          "The payload is sealed by an algorithm other than " + ALGORITHM + ".");
    }
    if (!body.get("ciphertext").path("data").isTextual()) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT, "schema", "The body's ciphertext has no data.");
    }
    return new ArtifactSubmit(body);
  }

  /**
   * Returns the body for a sealed artifact. Its header travels in {@code aad}, of which only seven
   * members do.
   *
   * @throws HarpException {@code UNSUPPORTED} if it has another member in the clear, which the
   *     device would not get, so that the hash would not fit
   */
  public static ObjectNode body(SealedArtifact sealed) throws HarpException {
    ObjectNode json = sealed.json();
    for (String member : UNSENT) {
      if (json.has(member)) {
        throw new HarpException(
            HarpErrorCode.UNSUPPORTED,
            "unsent",
            "A relay's message has no place for "
                + member
                + " in the clear: "
                + (member.equals("extensions")
                    ? "seal it for a device that opens extensions."
                    : "put it into the payload."));
      }
    }
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("artifactType", json.get("artifactType").textValue())
            .put("artifactHash", "sha256:" + sealed.artifactHash());
    ObjectNode ciphertext = body.putObject("ciphertext");
    json.get("enc")
        .properties()
        .forEach(
            member ->
                ciphertext.set(
                    RENAMED.getOrDefault(member.getKey(), member.getKey()), member.getValue()));
    ciphertext.put("aad", Base64Url.encode(sealed.authenticated()));
    return body.put("expiresAt", json.get("expiresAt").textValue());
  }

  /**
   * Returns the sealed artifact that an approval request's ciphertext is of.
   *
   * @param requestId the request that the envelope names
   * @throws HarpException {@code HASH_MISMATCH} if the header is another request's or artifact's;
   *     otherwise as {@link SealedArtifact#of}
   */
  public static SealedArtifact sealed(String requestId, String artifactHash, ObjectNode ciphertext)
      throws HarpException {
    byte[] aad =
        Base64Url.decode(ciphertext.path("aad").asText(""))
            .orElseThrow(
                () ->
                    new HarpException(
                        HarpErrorCode.TRANSPORT, "schema", "The aad is not base64url."));
    ObjectNode json = HarpJson.parse(aad, SealedArtifact.MAX_BYTES);
    ObjectNode seal = json.putObject("enc");
    ciphertext.properties().stream()
        .filter(member -> !member.getKey().equals("aad"))
        .forEach(
            member ->
                seal.set(
                    RENAMED.entrySet().stream()
                        .filter(renamed -> renamed.getValue().equals(member.getKey()))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(member.getKey()),
                    member.getValue()));
    SealedArtifact sealed = SealedArtifact.of(json);
    if (!sealed.requestId().equals(requestId)
        || !sealed.artifactHash().equals(PrefixedHash.digits("artifactHash", artifactHash))) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH, "header", "The sealed header is not that of the envelope.");
    }
    return sealed;
  }

  /** Returns the hash of the artifact, 64 hexadecimal digits. */
  public String artifactHash() {
    try {
      return PrefixedHash.digits("artifactHash", body.get("artifactHash").textValue());
    } catch (HarpException e) {
      throw new IllegalStateException("checked when it was read", e);
    }
  }

  /** Returns what kind of artifact it is. */
  public String artifactType() {
    return body.get("artifactType").textValue();
  }

  /** Returns until when it can be decided, as it is spelled. */
  public String expiresAt() {
    return body.get("expiresAt").textValue();
  }

  /** Returns a copy of what is sealed, as the enforcer has written it. */
  public ObjectNode ciphertext() {
    return body.get("ciphertext").deepCopy();
  }

  /** Returns what routes the artifact, which is never passed on. */
  public Optional<String> routingToken() {
    return metadata("routingToken");
  }

  /** Returns a text of the metadata that are beside the sealed payload. */
  public Optional<String> metadata(String name) {
    return Optional.of(body.path("metadata").path(name))
        .filter(value -> value.isTextual())
        .map(value -> value.textValue());
  }

  @Override
  public String toString() {
    return "ArtifactSubmit[" + artifactHash() + "]";
  }
}
