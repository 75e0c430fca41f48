package dev.bridle.core.integrations.relay;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.RequestInfo;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.pairing.PairingCode;
import dev.bridle.record.v1.PairingRecord;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.CompleteResponse;
import dev.bridle.relay.v1.ConfirmRequest;
import dev.bridle.relay.v1.ConfirmResponse;
import dev.bridle.relay.v1.GetPairingRequest;
import dev.bridle.relay.v1.InitiateRequest;
import dev.bridle.relay.v1.InitiateResponse;
import dev.bridle.relay.v1.ListDevicesOfEnforcerRequest;
import dev.bridle.relay.v1.ListDevicesOfEnforcerResponse;
import dev.bridle.relay.v1.PairedDevice;
import dev.bridle.relay.v1.PairingAnswer;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.relay.v1.PairingStatus;
import dev.bridle.relay.v1.ResolveRequest;
import dev.bridle.relay.v1.ResolveResponse;
import dev.bridle.storage.layer.PairingIndex;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Pairs enforcers with devices, which have no credential before. */
final class PairingService extends PairingServiceGrpc.PairingServiceImplBase {
  private static final String DEVICE = "device";

  private final CoreContext context;
  private final Pairings rules;
  private final PairingStore pairings;
  private final PairedDevices devices;
  private final AttemptRates attempts;
  private final LocalPairings local;

  PairingService(
      CoreContext context,
      Pairings rules,
      PairingStore pairings,
      PairedDevices devices,
      LocalPairings local) {
    this.local = local;
    this.context = context;
    this.rules = rules;
    this.pairings = pairings;
    this.devices = devices;
    this.attempts = new AttemptRates(context.environment().nanoTime());
  }

  @Override
  public void initiate(InitiateRequest request, StreamObserver<InitiateResponse> response) {
    Caller caller = Caller.current();
    Pairings.Initiated begun =
        context
            .commands()
            .once(
                caller.tenant(),
                caller.actor(),
                write -> rules.initiate(write, request.getOffer()));
    Replies.send(
        response,
        InitiateResponse.newBuilder()
            .setCode(begun.code())
            .setNonce(begun.record().getNonce())
            .setExpiresAt(Timestamps.fromMillis(begun.record().getExpiresAt()))
            .build());
  }

  @Override
  public void resolve(ResolveRequest request, StreamObserver<ResolveResponse> response) {
    attempts.check();
    long now = context.clock().millis();
    Optional<PairingRecord> found =
        key(request)
            .flatMap(
                key ->
                    context
                        .store()
                        .read(
                            tr ->
                                pairings
                                    .find(tr, key)
                                    .flatMap(at -> rules.open(tr, at.tenant(), at.nonce(), now))));
    PairingRecord pairing = found.orElseThrow(this::unknown);
    Replies.send(
        response,
        ResolveResponse.newBuilder()
            .setNonce(pairing.getNonce())
            .setOffer(pairing.getOffer())
            .setExpiresAt(Timestamps.fromMillis(pairing.getExpiresAt()))
            .build());
  }

  private static Optional<String> key(ResolveRequest request) {
    if (request.hasNonce()) {
      return Optional.of(request.getNonce());
    }
    try {
      return Optional.of(PairingCode.parse(request.getCode()).text());
    } catch (HarpException notACode) {
      return Optional.empty();
    }
  }

  private RuntimeException unknown() {
    attempts.wrong();
    return RelayErrors.noPairing();
  }

  @Override
  public void complete(CompleteRequest request, StreamObserver<CompleteResponse> response) {
    attempts.check();
    PairingIndex.Found at = find(request.getNonce());
    DeviceToken token =
        rules.prepareToken(
            request.getDevice(),
            RequestInfo.current().idempotencyKey(),
            bytes -> context.mint().bytes(bytes));
    PairingRecord pairing =
        context
            .commands()
            .fenced(
                FencedWrite.COMPLETE_PAIRING,
                at.tenant(),
                DEVICE,
                write -> rules.complete(write, at.nonce(), request.getDevice(), token))
            .orElseThrow(this::unknown);
    local.heard(at.tenant(), pairing);
    Replies.send(response, completed(pairing).setDeviceToken(token.of(pairing)).build());
  }

  @Override
  public void completeAsApprover(
      CompleteRequest request, StreamObserver<CompleteResponse> response) {
    Caller caller = Caller.current();
    attempts.check();
    PairingIndex.Found at = find(request.getNonce());
    if (!at.tenant().equals(caller.tenant())) {
      throw unknown();
    }
    PairingRecord pairing =
        context
            .commands()
            .fenced(
                FencedWrite.COMPLETE_PAIRING,
                caller.tenant(),
                caller.actor(),
                write -> rules.completeAsApprover(write, at.nonce(), request.getDevice()))
            .orElseThrow(this::unknown);
    local.heard(at.tenant(), pairing);
    Replies.send(response, completed(pairing).build());
  }

  private PairingIndex.Found find(String nonce) {
    return context
        .store()
        .read(tr -> pairings.find(tr, nonce))
        .filter(found -> found.nonce().equals(nonce))
        .orElseThrow(this::unknown);
  }

  private static CompleteResponse.Builder completed(PairingRecord pairing) {
    CompleteResponse.Builder completed =
        CompleteResponse.newBuilder()
            .setRoutingToken(pairing.getRoutingToken())
            .setOffer(pairing.getOffer());
    if (pairing.hasOrder()) {
      completed.setAnswer(
          PairingAnswer.newBuilder()
              .setConfirmation(pairing.getConfirmation())
              .setEnrolment(pairing.getEnrolment())
              .setApprovalDeviceId(pairing.getApprovalDeviceId()));
    }
    return completed;
  }

  @Override
  public void confirm(ConfirmRequest request, StreamObserver<ConfirmResponse> response) {
    Caller caller = Caller.current();
    boolean confirmed =
        context
            .commands()
            .fenced(
                FencedWrite.COMPLETE_PAIRING,
                caller.tenant(),
                caller.actor(),
                write -> rules.confirm(write, caller, request.getNonce(), request.getMac()));
    if (!confirmed) {
      throw RelayErrors.noPairing();
    }
    Replies.send(response, ConfirmResponse.getDefaultInstance());
  }

  @Override
  public void getPairing(GetPairingRequest request, StreamObserver<PairingStatus> response) {
    Caller caller = Caller.current();
    PairingRecord pairing =
        context
            .store()
            .read(tr -> rules.owned(tr, caller, request.getNonce()))
            .orElseThrow(RelayErrors::noPairing);
    PairingStatus.Builder shown =
        PairingStatus.newBuilder()
            .setNonce(pairing.getNonce())
            .setExpiresAt(Timestamps.fromMillis(pairing.getExpiresAt()))
            .setRoutingToken(pairing.getRoutingToken())
            .setConfirmation(pairing.getConfirmation())
            .setEnrolment(pairing.getEnrolment())
            .setApprovalDeviceId(pairing.getApprovalDeviceId());
    if (pairing.hasDevice()) {
      shown.setDevice(pairing.getDevice());
    }
    Replies.send(response, shown.build());
  }

  @Override
  public void listDevicesOfEnforcer(
      ListDevicesOfEnforcerRequest request,
      StreamObserver<ListDevicesOfEnforcerResponse> response) {
    PartyId enforcer = PartyId.enforcer(request.getEnforcerId());
    Pages.Page<PairedDevice> page = devices.ofEnforcer(Caller.current(), enforcer, request);
    Replies.send(
        response,
        ListDevicesOfEnforcerResponse.newBuilder()
            .addAllData(page.rows())
            .setPage(page.info())
            .build());
  }
}
