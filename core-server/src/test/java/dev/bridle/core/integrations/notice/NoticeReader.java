package dev.bridle.core.integrations.notice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.harp.seal.SealedNotice;
import dev.bridle.permission.v1.CreateApprovalDeviceRequest;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import java.util.Optional;

/** Opens notices as the device of an approver does. */
public final class NoticeReader {
  private final String approver;
  private final DeviceKeys keys;

  public NoticeReader(String approver, DeviceKeys keys) {
    this.approver = approver;
    this.keys = keys;
  }

  /** Returns what enrols the device. */
  public CreateApprovalDeviceRequest.Builder enrolment() {
    ObjectNode halves = keys.publicHalves();
    return CreateApprovalDeviceRequest.newBuilder()
        .setPrincipal("person of " + approver)
        .setApproverId(approver)
        .setSignerKeyId(keys.signerKeyId())
        .setSigningKey(halves.get("signingKey").textValue())
        .setAgreementKey(halves.get("agreementKey").textValue());
  }

  /** Returns a notice with its signature; empty if it is sealed for another device. */
  public Optional<ObjectNode> open(JsonNode sealed) {
    try {
      return Optional.of(SealedNotice.open((ObjectNode) sealed, approver, keys.agreement()));
    } catch (HarpException e) {
      return Optional.empty();
    }
  }

  /** Returns the statement of a notice that one of some keys has signed. */
  public JsonNode verified(JsonNode sealed, KeySet trusted) {
    ObjectNode notice = open(sealed).orElseThrow();
    JsonNode signature = notice.get("signature");
    boolean signed =
        trusted
            .find(signature.get("key_id").textValue())
            .orElseThrow()
            .verifies(
                CanonicalJson.bytes(notice.get("statement")),
                Base64Url.decode(signature.get("signature").textValue()).orElseThrow());
    if (!signed) {
      throw new AssertionError("the server's key has not signed " + notice);
    }
    return notice.get("statement");
  }
}
