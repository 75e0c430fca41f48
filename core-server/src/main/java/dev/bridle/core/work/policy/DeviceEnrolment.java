package dev.bridle.core.work.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.proof.json.CanonicalJson;
import java.time.Instant;
import java.util.Optional;

/**
 * Writes down at a device's enrolment whose it is and which keys it has, and signs that, so that
 * the evidence of its decisions can show it later.
 */
final class DeviceEnrolment {
  private static final String FORMAT = "bridle-enrolment-1";

  private DeviceEnrolment() {}

  /** Returns the statement with its signature, or alone where the server can't sign, as JSON. */
  static ByteString signed(Write write, ReceiptKeys keys, ApprovalDevice device) {
    ObjectNode enrolment = statement(write.tenant(), device);
    return json(enrolment, keys.sign(write, CanonicalJson.bytes(enrolment)));
  }

  /** Returns the statement alone, for devices that were enrolled before statements were signed. */
  static ByteString unsigned(String tenant, ApprovalDevice device) {
    return json(statement(tenant, device), Optional.empty());
  }

  private static ObjectNode statement(String tenant, ApprovalDevice device) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("format", FORMAT)
        .put("tenant_id", tenant)
        .put("approval_device_id", device.getId())
        .put("principal", device.getPrincipal())
        .put("approver_id", device.getApproverId())
        .put("signer_key_id", device.getSignerKeyId())
        .put("signing_key", device.getSigningKey())
        .put("agreement_key", device.getAgreementKey())
        .put("enrolled_by", device.getEnrolledBy())
        .put(
            "enrolled_at",
            Instant.ofEpochMilli(Timestamps.toMillis(device.getCreatedAt())).toString());
  }

  private static ByteString json(ObjectNode enrolment, Optional<ObjectNode> signature) {
    ObjectNode signed = JsonNodeFactory.instance.objectNode();
    signature.ifPresent(one -> signed.set("signature", one));
    signed.set("enrolment", enrolment);
    return ByteString.copyFrom(CanonicalJson.bytes(signed));
  }
}
