package dev.bridle.core.integrations.phone;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.OwnPairings;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.ResourceService;
import dev.bridle.core.kernel.seal.EncryptionContext;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.harp.pairing.PairingMacs;
import dev.bridle.harp.pairing.PairingOffer;
import dev.bridle.harp.pairing.PairingSecret;
import dev.bridle.harp.pairing.PairingTranscript;
import dev.bridle.harp.pairing.Possession;
import dev.bridle.harp.pairing.ShortCode;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.CreateApprovalDeviceRequest;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.record.v1.EnrolmentOrder;
import dev.bridle.record.v1.PairingRecord;
import java.util.Set;

/**
 * Takes phones that complete a pairing of this server. One that has the secret of the link is
 * enrolled in the transaction that pairs it; one where a code was typed once its short code is
 * confirmed.
 */
public final class PhonePairings implements OwnPairings {
  private final Seals seals;
  private final ResourceService<ApprovalDevice, ApprovalDevice> devices;

  /**
   * Creates the rules.
   *
   * @param seals opens the secrets of links
   * @param devices enrols devices
   */
  public PhonePairings(Seals seals, ResourceService<ApprovalDevice, ApprovalDevice> devices) {
    this.seals = seals;
    this.devices = devices;
  }

  /** Returns the secret of a link as it is stored with its pairing. */
  ByteString sealed(Write write, String nonce, PairingSecret secret) {
    return ByteString.copyFrom(
        seals.seal(write.tr(), context(write.tenant(), nonce), secret.bytes()));
  }

  private static EncryptionContext context(String tenant, String nonce) {
    return EncryptionContext.of(tenant, "phone-pairing", nonce);
  }

  @Override
  public PairingRecord completed(Write write, PairingRecord pairing) {
    PairingTranscript transcript = transcript(pairing);
    String mac = pairing.getDevice().getMac();
    PairingRecord.Builder after = pairing.toBuilder();
    after.getOrderBuilder().clearSecret();
    try {
      Possession.verify(transcript, bytes(pairing.getDevice().getPossession()));
      if (mac.isEmpty()) {
        return after.build(); // The person has typed a code, and confirms the phone's.
      }
      PairingMacs macs = PairingMacs.of(secret(write, pairing), transcript);
      macs.verifyApprover(bytes(mac));
      after.setConfirmation(Base64Url.encode(macs.enforcer()));
    } catch (HarpException e) {
      throw notProven(e);
    }
    return enrolled(write, after.build(), pairing.getOrder().getOrderedBy());
  }

  private PairingSecret secret(Write write, PairingRecord pairing) {
    return PairingSecret.ofBytes(
        seals.open(
            context(write.tenant(), pairing.getNonce()),
            pairing.getOrder().getSecret().toByteArray()));
  }

  /**
   * Enrols the phone that shows a short code.
   *
   * @param pairing a completed pairing whose device is not enrolled
   * @param by who confirms it
   */
  PairingRecord confirmed(Write write, PairingRecord pairing, String shortCode, String by) {
    try {
      ShortCode.parse(shortCode).verify(transcript(pairing));
    } catch (HarpException e) {
      throw ProtocolException.invalid("short_code", "is not the code that this phone shows");
    }
    return enrolled(write, pairing, by);
  }

  private PairingRecord enrolled(Write write, PairingRecord pairing, String by) {
    EnrolmentOrder order = pairing.getOrder();
    var device = pairing.getDevice();
    CreateApprovalDeviceRequest.Builder request =
        CreateApprovalDeviceRequest.newBuilder()
            .setPrincipal(order.getPrincipal())
            .setApproverId(device.getApproverId())
            .setSignerKeyId(device.getSignerKeyId())
            .setSigningKey(device.getSigningKey())
            .setAgreementKey(device.getPublicKey())
            .setOpensExtensions(capabilities(pairing).path("extensions").asBoolean());
    if (!order.getName().isEmpty()) {
      request.setName(order.getName());
    }
    Caller caller = new Caller(write.tenant(), by, Set.of(), Set.of(), true);
    ApprovalDevice enrolled = devices.create(write, caller, request.build());
    return pairing.toBuilder()
        .setApprovalDeviceId(enrolled.getId())
        .setEnrolment(enrolled.getEnrolment())
        .build();
  }

  private static PairingTranscript transcript(PairingRecord pairing) {
    var offer = pairing.getOffer();
    var device = pairing.getDevice();
    try {
      return PairingTranscript.of(
          new PairingOffer(
              pairing.getOrder().getRelay(),
              pairing.getNonce(),
              offer.getEnforcerId(),
              offer.getPublicKey(),
              offer.getEnforcerLabel(),
              offer.getWorkspaceName()),
          new PairingDevice(
              device.getApproverId(),
              device.getDeviceId(),
              device.getPublicKey(),
              device.getSignerKeyId(),
              device.getSigningKey(),
              device.getApproverNonce(),
              capabilities(pairing)));
    } catch (HarpException e) {
      throw notProven(e);
    }
  }

  private static ObjectNode capabilities(PairingRecord pairing) {
    ByteString declared = pairing.getDevice().getCapabilities();
    if (declared.isEmpty()) {
      return JsonNodeFactory.instance.objectNode();
    }
    try {
      return HarpJson.parse(declared.toByteArray(), PairingTranscript.MAX_BYTES);
    } catch (HarpException e) {
      throw notProven(e);
    }
  }

  private static byte[] bytes(String text) {
    return Base64Url.decode(text).orElse(new byte[0]);
  }

  private static ProtocolException notProven(HarpException e) {
    return ProtocolException.invalid("device", "is not proven: " + e.getMessage());
  }
}
