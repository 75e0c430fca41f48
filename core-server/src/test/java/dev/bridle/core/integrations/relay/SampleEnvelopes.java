package dev.bridle.core.integrations.relay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.proof.key.Base64Url;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;

/** Envelopes as enforcers and approvers send them. */
public final class SampleEnvelopes {
  /** The hash of an artifact. */
  public static final String HASH = "ab".repeat(32);

  /** The hash of another artifact. */
  public static final String OTHER_HASH = "cd".repeat(32);

  private static final String MADE = "2020-01-01T00:00:00Z";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SampleEnvelopes() {}

  /** Returns the artifact of a request. */
  public static ByteString artifact(String enforcer, String request, Instant expiresAt) {
    return artifact(enforcer, request, HASH, expiresAt, envelope -> {});
  }

  /** Returns an artifact that is changed before it is sent. */
  public static ByteString artifact(
      String enforcer,
      String request,
      String hash,
      Instant expiresAt,
      Consumer<ObjectNode> change) {
    String until = expiresAt.toString();
    ObjectNode envelope = envelope("artifact.submit", request, MADE, "enforcerId", enforcer);
    ObjectNode body = envelope.putObject("body");
    body.put("artifactType", "command.review").put("artifactHash", "sha256:" + hash);
    body.putObject("ciphertext")
        .put("alg", "XChaCha20-Poly1305")
        .put("data", "c2VhbGVk")
        .put("nonce", "bm9uY2U")
        .put("tag", "dGFn")
        .put("aad", aad(request, hash, MADE, until));
    body.putObject("metadata")
        .put("tenantId", "somebody")
        .put("workspaceName", "airlock")
        .put("repoName", "widgets")
        .put("requestLabel", "Deploy");
    body.put("expiresAt", until);
    change.accept(envelope);
    return bytes(envelope);
  }

  /** Returns the authenticated header of an artifact. */
  public static String aad(String request, String hash, String createdAt, String expiresAt) {
    ObjectNode header =
        JsonNodeFactory.instance
            .objectNode()
            .put("artifactHash", hash)
            .put("artifactHashAlg", "SHA-256")
            .put("artifactType", "command.review")
            .put("createdAt", createdAt)
            .put("expiresAt", expiresAt)
            .put("repoRef", "repo:acme/widgets")
            .put("requestId", request);
    return Base64Url.encode(header.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a decision of a request's artifact. */
  public static ByteString decision(String approver, String request, String nonce) {
    return decision(approver, request, nonce, envelope -> {});
  }

  /** Returns a decision that is changed before it is sent. */
  public static ByteString decision(
      String approver, String request, String nonce, Consumer<ObjectNode> change) {
    ObjectNode envelope = envelope("decision.submit", request, MADE, "approverId", approver);
    envelope
        .putObject("body")
        .put("artifactHash", "sha256:" + HASH)
        .put("decision", "approve")
        .put("reason", "Looks good")
        .put("signerKeyId", "key-" + approver)
        .put("nonce", nonce)
        .put("signature", "c2lnbmF0dXJl");
    change.accept(envelope);
    return bytes(envelope);
  }

  /** Returns that a message has arrived at a party. */
  public static ByteString ack(String sender, String party, JsonNode message, String status) {
    ObjectNode envelope =
        envelope("ack.submit", message.path("requestId").asText(), MADE, sender, party);
    envelope
        .putObject("body")
        .put("msgId", message.path("msgId").asText())
        .put("status", status)
        .put("ackAt", MADE);
    return bytes(envelope);
  }

  /** Returns that a notice has arrived at an approver. */
  public static ByteString ackOfNotice(String approver, JsonNode notice) {
    ObjectNode message =
        JsonNodeFactory.instance
            .objectNode()
            .put("requestId", "-")
            .put("msgId", notice.path("msgId").asText());
    return ack("approverId", approver, message, "received");
  }

  private static ObjectNode envelope(
      String type, String request, String createdAt, String sender, String party) {
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", type)
            .put("requestId", request)
            .put("createdAt", createdAt);
    envelope.putObject("sender").put(sender, party);
    return envelope;
  }

  static ByteString bytes(ObjectNode envelope) {
    return ByteString.copyFromUtf8(envelope.toString());
  }

  /** Reads an envelope of the relay. */
  public static JsonNode json(ByteString envelope) {
    try {
      return MAPPER.readTree(envelope.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
