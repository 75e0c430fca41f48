package dev.bridle.core.integrations.notice;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.SealedNotice;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;

/**
 * Signs notices as the server's own, and seals them for their devices. The statement names its
 * approver and its id, so that it can't be sent to another phone, or be shown twice.
 */
final class SignedNotice {
  private static final String FORMAT = "bridle-notice-1";

  private final ReceiptKeys keys;
  private final SecureRandom random = new SecureRandom();

  SignedNotice(ReceiptKeys keys) {
    this.keys = keys;
  }

  /** Returns a test for a device; empty if this server can't sign. */
  Optional<ByteString> test(Write write, ApprovalDevice to, String noticeId) {
    return sealed(write, to, noticeId, statement(write, to, noticeId, "test"));
  }

  /** Returns that a device was enrolled, for another one; empty if this server can't sign. */
  Optional<ByteString> enrolled(
      Write write, ApprovalDevice to, String noticeId, ApprovalDevice device) {
    ObjectNode statement = statement(write, to, noticeId, "device_enrolled");
    ObjectNode about =
        statement
            .putObject("device")
            .put("id", device.getId())
            .put("principal", device.getPrincipal())
            .put(
                "fingerprint",
                Sha256.of(ApprovalDevices.signingKey(device).publicKey()).toString());
    if (device.hasName()) {
      about.put("name", device.getName());
    }
    return sealed(write, to, noticeId, statement);
  }

  private static ObjectNode statement(
      Write write, ApprovalDevice to, String noticeId, String kind) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("format", FORMAT)
        .put("tenant_id", write.tenant())
        .put("notice_id", noticeId)
        .put("kind", kind)
        .put("approver_id", to.getApproverId())
        .put("at", Instant.ofEpochMilli(write.nowMillis()).toString());
  }

  private Optional<ByteString> sealed(
      Write write, ApprovalDevice to, String noticeId, ObjectNode statement) {
    return keys.sign(write, CanonicalJson.bytes(statement))
        .map(
            signature -> {
              ObjectNode signed = JsonNodeFactory.instance.objectNode();
              signed.set("statement", statement);
              signed.set("signature", signature);
              return ByteString.copyFrom(CanonicalJson.bytes(seal(signed, to, noticeId)));
            });
  }

  private ObjectNode seal(ObjectNode signed, ApprovalDevice to, String noticeId) {
    try {
      return SealedNotice.seal(
          signed, noticeId, to.getApproverId(), ApprovalDevices.agreementKey(to), random);
    } catch (HarpException e) {
      throw new IllegalStateException("what was enrolled can be sealed for", e);
    }
  }
}
