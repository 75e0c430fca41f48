package dev.bridle.core.integrations.relay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.proof.key.Base64Url;
import java.util.List;

/**
 * The body of the approval requests of an artifact: what its enforcer has submitted, without what
 * only routes it, and with the header that is authenticated beside the ciphertext, so that a client
 * need not take that apart.
 */
final class ApprovalBody {
  private static final int MAX_HEADER_BYTES = 64 << 10;

  /** Metadata for display; all other metadata stay here. */
  private static final List<String> FORWARDED =
      List.of("workspaceName", "repoName", "requestLabel");

  /** Members of the header that are repeated. */
  private static final List<String> HEADER =
      List.of("repoRef", "createdAt", "expiresAt", "artifactHashAlg");

  private ApprovalBody() {}

  /**
   * Returns the body, without the second copy of the ciphertext that {@link #sent} adds.
   *
   * @throws HarpException {@code HASH_MISMATCH} if the authenticated header is that of another
   *     request or artifact
   */
  static ObjectNode stored(SubmittedArtifact artifact) throws HarpException {
    ArtifactSubmit submit = artifact.body();
    ObjectNode ciphertext = submit.ciphertext();
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("artifactType", submit.artifactType())
            .put("artifactHash", "sha256:" + submit.artifactHash());
    body.set("ciphertext", ciphertext);
    ObjectNode metadata = JsonNodeFactory.instance.objectNode();
    for (String name : FORWARDED) {
      submit.metadata(name).ifPresent(value -> metadata.put(name, value));
    }
    if (!metadata.isEmpty()) {
      body.set("metadata", metadata);
    }
    body.put("expiresAt", submit.expiresAt());
    if (ciphertext.has("aad")) {
      ObjectNode header = header(ciphertext.get("aad"));
      check(artifact, header);
      for (String name : HEADER) {
        if (header.path(name).isTextual()) {
          body.put(name, header.get(name).textValue());
        }
      }
    }
    return body;
  }

  /** Returns the body as approvers get it, from the one that is stored. */
  static ObjectNode sent(ObjectNode stored) {
    stored
        .putObject("ciphertextRef")
        .put("kind", "inline")
        .put("data", stored.path("ciphertext").path("data").textValue());
    return stored;
  }

  private static ObjectNode header(JsonNode aad) throws HarpException {
    byte[] bytes =
        Base64Url.decode(aad.asText(""))
            .orElseThrow(() -> RelayErrors.schema("The ciphertext's aad is not base64url."));
    return HarpJson.parse(bytes, MAX_HEADER_BYTES);
  }

  private static void check(SubmittedArtifact artifact, ObjectNode header) throws HarpException {
    boolean own =
        is(header, "requestId", artifact.requestId())
            && is(header, "artifactHash", artifact.body().artifactHash())
            && is(header, "artifactType", artifact.body().artifactType());
    if (!own) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH,
          "header",
          "The authenticated header is that of another request or artifact.");
    }
    JsonNode expiresAt = header.path("expiresAt");
    if (expiresAt.isTextual() && !Times.parse(expiresAt.textValue()).equals(artifact.expiresAt())) {
      throw RelayErrors.schema("The authenticated header has another expiresAt than the body.");
    }
  }

  private static boolean is(ObjectNode header, String member, String expected) {
    return header.path(member).asText("").equals(expected);
  }
}
