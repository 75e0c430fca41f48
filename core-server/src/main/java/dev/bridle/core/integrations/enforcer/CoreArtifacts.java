package dev.bridle.core.integrations.enforcer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.LocalRelay;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.seal.SealedArtifact;
import dev.bridle.permission.v1.ApprovalDevice;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/**
 * Takes artifacts in plaintext of callers that trust this server with them, and seals them for
 * enrolled devices. What becomes of them is theirs: they wait for the decision at the relay, and
 * verify it.
 */
final class CoreArtifacts {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What a gateway's message has no place for, so that a device could not verify the hash. */
  private static final List<String> UNSENT = List.of("sessionId", "baseRevision", "metadata");

  private final CoreContext context;
  private final LocalRelay relay;
  private final SecureRandom random = new SecureRandom();

  CoreArtifacts(CoreContext context, LocalRelay relay) {
    this.context = context;
    this.relay = relay;
  }

  /**
   * Seals an artifact for a device, and submits it.
   *
   * @param enforcerId the enforcer's id at the relay, unless the document's envelope says
   * @param approverId the approver's id at the relay, unless the document's envelope says
   * @return the {@code artifact.accepted} envelope
   */
  ByteString submit(
      Caller caller, ByteString bytes, Optional<String> enforcerId, Optional<String> approverId)
      throws HarpException {
    CoreDocument document = CoreDocument.parse(bytes, "artifact.submit");
    Artifact artifact = Artifact.of(document.object());
    artifact.verifyHash();
    ApprovalDevice device = device(caller, document.recipient().or(() -> approverId));
    needSendable(artifact, device);
    SealedArtifact sealed =
        SealedArtifact.sealWithExtensions(artifact, ApprovalDevices.agreementKey(device), random);
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", "artifact.submit")
            .put("requestId", artifact.requestId())
            .put("createdAt", Times.spell(artifact.createdAt()));
    envelope
        .putObject("sender")
        .put("enforcerId", document.sender().or(() -> enforcerId).orElseGet(caller::actor));
    envelope.putObject("recipient").put("approverId", device.getApproverId());
    envelope.set("body", ArtifactSubmit.body(sealed));
    try {
      return relay.submitFor(caller, ByteString.copyFrom(MAPPER.writeValueAsBytes(envelope)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree can always be written", e);
    }
  }

  private ApprovalDevice device(Caller caller, Optional<String> approverId) throws HarpException {
    List<ApprovalDevice> devices =
        context
            .store()
            .read(tr -> ApprovalDevices.good(context.configurations().of(tr, caller.tenant())))
            .stream()
            .filter(device -> !device.hasRelay())
            .filter(
                device -> approverId.isEmpty() || approverId.get().equals(device.getApproverId()))
            .toList();
    if (devices.size() != 1) {
      throw new HarpException(
          HarpErrorCode.POLICY_DENY,
          "no_approver",
          devices.isEmpty()
              ? "No device that this could be sealed for is enrolled at this server's relay."
              : "More than one device is enrolled: name the approver whose one device it is for.");
    }
    return devices.get(0);
  }

  private static void needSendable(Artifact artifact, ApprovalDevice device) throws HarpException {
    ObjectNode json = artifact.json();
    for (String member : UNSENT) {
      if (json.has(member)) {
        throw unsent("A gateway's message has no place for " + member + "; put it into payload.");
      }
    }
    if (json.has("extensions") && !device.getOpensExtensions()) {
      throw unsent("The device does not open extensions.");
    }
  }

  private static HarpException unsent(String message) {
    return new HarpException(HarpErrorCode.UNSUPPORTED, "unsendable", message);
  }
}
