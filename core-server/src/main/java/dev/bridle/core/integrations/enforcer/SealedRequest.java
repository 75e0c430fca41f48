package dev.bridle.core.integrations.enforcer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.seal.SealedArtifact;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.HarpRequestRecord;
import java.security.SecureRandom;
import java.time.Instant;

/** Seals the artifact of a request for its device, in the envelope that a relay takes. */
final class SealedRequest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SealedRequest() {}

  /** Returns the {@code artifact.submit} envelope; each call seals anew. */
  static ByteString envelope(
      HarpRequestRecord record,
      PermissionRequest asked,
      ApprovalDevice device,
      String enforcerId,
      SecureRandom random) {
    try {
      Artifact artifact = PermissionArtifact.of(record, asked);
      if (!artifact.hash().equals(record.getArtifactHash())) {
        throw new IllegalStateException("what is asked has changed since it was hashed");
      }
      byte[] key = ApprovalDevices.agreementKey(device);
      SealedArtifact sealed = SealedArtifact.sealWithExtensions(artifact, key, random);
      ObjectNode envelope =
          JsonNodeFactory.instance
              .objectNode()
              .put("msgType", "artifact.submit")
              .put("requestId", record.getRequestId())
              .put("createdAt", Times.spell(Instant.ofEpochMilli(record.getCreatedAt())));
      envelope.putObject("sender").put("enforcerId", enforcerId);
      envelope.putObject("recipient").put("approverId", device.getApproverId());
      envelope.set("body", ArtifactSubmit.body(sealed));
      return ByteString.copyFrom(MAPPER.writeValueAsBytes(envelope));
    } catch (HarpException | JsonProcessingException e) {
      throw new IllegalStateException("what was hashed can be sealed", e);
    }
  }
}
