package dev.bridle.core.integrations.phone;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.integrations.relay.LocalPairings;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.pairing.PairingCode;
import dev.bridle.harp.pairing.PairingQr;
import dev.bridle.harp.pairing.PairingSecret;
import dev.bridle.permission.v1.ApprovalDevicePairing;
import dev.bridle.permission.v1.ApprovalDevicePairingServiceGrpc;
import dev.bridle.permission.v1.ApprovalDevicePairingStatus;
import dev.bridle.permission.v1.ConfirmApprovalDevicePairingRequest;
import dev.bridle.permission.v1.CreateApprovalDevicePairingRequest;
import dev.bridle.permission.v1.GetApprovalDevicePairingRequest;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.record.v1.EnrolmentOrder;
import dev.bridle.record.v1.PairingRecord;
import dev.bridle.relay.v1.PairingOffer;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Pairs phones with this server. Nothing it returns is kept for repeats, since it has secrets. */
public final class PhonePairingService
    extends ApprovalDevicePairingServiceGrpc.ApprovalDevicePairingServiceImplBase {
  /** Under the URL of the gateway; the text of the QR code follows, which no browser sends. */
  private static final String PAGE = "/approve/#";

  private static final String LABEL = "Bridle";

  private final CoreContext context;
  private final LocalPairings pairings;
  private final PhonePairings rules;
  private final PhoneAddress address;
  private final ReceiptKeys keys;

  /**
   * Creates the service.
   *
   * @param pairings the pairings at this server's relay
   * @param address where phones reach the page
   * @param keys the keys that sign what phones are asked
   */
  public PhonePairingService(
      CoreContext context,
      LocalPairings pairings,
      PhonePairings rules,
      PhoneAddress address,
      ReceiptKeys keys) {
    this.context = context;
    this.pairings = pairings;
    this.rules = rules;
    this.address = address;
    this.keys = keys;
  }

  @Override
  public void createApprovalDevicePairing(
      CreateApprovalDevicePairingRequest request, StreamObserver<ApprovalDevicePairing> response) {
    Caller caller = Caller.current();
    caller.needWholeTenant();
    String relay = address.need();
    byte[] identity = identity().publicKey();
    PairingSecret secret = PairingSecret.ofBytes(context.mint().bytes(PairingSecret.BYTES));
    LocalPairings.Begun begun =
        pairings.begin(
            caller.tenant(),
            PairingOffer.newBuilder()
                .setEnforcerLabel(LABEL)
                .setWorkspaceName(caller.tenant())
                .setPublicKey(Base64Url.encode(identity))
                .build(),
            (write, nonce) ->
                EnrolmentOrder.newBuilder()
                    .setPrincipal(request.getPrincipal())
                    .setName(request.getName())
                    .setOrderedBy(caller.actor())
                    .setRelay(relay)
                    .setSecret(rules.sealed(write, nonce, secret))
                    .build());
    try {
      String qr =
          PairingQr.of(
                  relay, begun.record().getNonce(), Sha256.of(identity), secret, Optional.empty())
              .text();
      Replies.send(
          response,
          shown(begun.record())
              .setUrl(relay + PAGE + qr)
              .setCode(PairingCode.parse(begun.code()).grouped())
              .build());
    } catch (HarpException e) {
      throw new IllegalStateException("a pairing that has begun can't be shown", e);
    }
  }

  /** The page pins the key that signs the first question. */
  private VerificationKey identity() {
    return keys.published().keys().stream()
        .findFirst()
        .orElseThrow(
            () ->
                ProtocolException.of(
                    ErrorCode.ERROR_CODE_CONFLICT,
                    "This server signs nothing, so a phone could not verify its questions:"
                        + " give it a master key."));
  }

  @Override
  public void getApprovalDevicePairing(
      GetApprovalDevicePairingRequest request, StreamObserver<ApprovalDevicePairing> response) {
    Caller caller = Caller.current();
    PairingRecord pairing =
        context
            .store()
            .read(tr -> pairings.need(tr, caller.tenant(), request.getApprovalDevicePairingId()));
    Replies.send(response, shown(pairing).build());
  }

  @Override
  public void confirmApprovalDevicePairing(
      ConfirmApprovalDevicePairingRequest request, StreamObserver<ApprovalDevicePairing> response) {
    Caller caller = Caller.current();
    caller.needWholeTenant();
    PairingRecord confirmed =
        context
            .commands()
            .fenced(
                FencedWrite.COMPLETE_PAIRING,
                caller.tenant(),
                caller.actor(),
                write -> {
                  PairingRecord before =
                      pairings.need(
                          write.tr(), write.tenant(), request.getApprovalDevicePairingId());
                  if (!before.hasDevice()) {
                    throw ProtocolException.of(
                        ErrorCode.ERROR_CODE_CONFLICT, "No phone has completed the pairing yet.");
                  }
                  if (!before.getApprovalDeviceId().isEmpty()) {
                    return before;
                  }
                  if (write.nowMillis() >= before.getExpiresAt()) {
                    throw ProtocolException.of(
                        ErrorCode.ERROR_CODE_CONFLICT,
                        "The time of the pairing is over; begin another one.");
                  }
                  PairingRecord after =
                      rules.confirmed(write, before, request.getShortCode(), caller.actor());
                  pairings.enrolled(write, before, after);
                  return after;
                });
    pairings.heard(caller.tenant(), confirmed);
    Replies.send(response, shown(confirmed).build());
  }

  private ApprovalDevicePairing.Builder shown(PairingRecord pairing) {
    EnrolmentOrder order = pairing.getOrder();
    ApprovalDevicePairing.Builder shown =
        ApprovalDevicePairing.newBuilder()
            .setId(pairing.getNonce())
            .setCreatedAt(Timestamps.fromMillis(pairing.getCreatedAt()))
            .setExpiresAt(Timestamps.fromMillis(pairing.getExpiresAt()))
            .setPrincipal(order.getPrincipal())
            .setStatus(status(pairing));
    if (!order.getName().isEmpty()) {
      shown.setName(order.getName());
    }
    if (pairing.hasDevice()) {
      shown.setFingerprint(
          Base64Url.decode(pairing.getDevice().getSigningKey())
              .map(key -> Sha256.of(key).toString())
              .orElse(""));
    }
    if (!pairing.getApprovalDeviceId().isEmpty()) {
      shown.setApprovalDeviceId(pairing.getApprovalDeviceId());
    }
    return shown;
  }

  private ApprovalDevicePairingStatus status(PairingRecord pairing) {
    if (!pairing.getApprovalDeviceId().isEmpty()) {
      return ApprovalDevicePairingStatus.APPROVAL_DEVICE_PAIRING_STATUS_COMPLETED;
    }
    if (pairing.hasDevice()) {
      return ApprovalDevicePairingStatus.APPROVAL_DEVICE_PAIRING_STATUS_CONFIRM;
    }
    return context.clock().millis() < pairing.getExpiresAt()
        ? ApprovalDevicePairingStatus.APPROVAL_DEVICE_PAIRING_STATUS_PENDING
        : ApprovalDevicePairingStatus.APPROVAL_DEVICE_PAIRING_STATUS_EXPIRED;
  }
}
