package dev.bridle.core.fault;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.CompleteResponse;
import dev.bridle.relay.v1.ConfirmRequest;
import dev.bridle.relay.v1.GetPairingRequest;
import dev.bridle.relay.v1.InitiateRequest;
import dev.bridle.relay.v1.InitiateResponse;
import dev.bridle.relay.v1.PairingDevice;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.relay.v1.PairingServiceGrpc.PairingServiceBlockingStub;
import dev.bridle.relay.v1.PairingStatus;
import dev.bridle.relay.v1.ResolveRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;
import java.util.function.Function;

/** The steps of an enforcer and a new device that pair. */
final class PairingSteps {
  private static final PairingOffer OFFER =
      PairingOffer.newBuilder()
          .setEnforcerId(RelaySteps.ENFORCER)
          .setEnforcerLabel("Build server")
          .setWorkspaceName("airlock")
          .setPublicKey("aWRlbnRpdHk")
          .build();

  private PairingSteps() {}

  static InitiateResponse initiate(World world) {
    return call(
        world,
        "initiate",
        stub -> stub.initiate(InitiateRequest.newBuilder().setOffer(OFFER).build()));
  }

  /** Returns the nonce of a code. */
  static String resolve(World world, String code) {
    return call(
        world,
        "resolve",
        stub -> stub.resolve(ResolveRequest.newBuilder().setCode(code).build()).getNonce());
  }

  /** Completes a pairing, again where an answer was lost. */
  static CompleteResponse complete(World world, String nonce, String approver) {
    CompleteRequest request = completion(nonce, approver);
    return world.callOnce(
        "complete",
        "key-of-" + approver,
        channel -> PairingServiceGrpc.newBlockingStub(channel).complete(request));
  }

  /** Returns whether a call that knows all but the key of the device's own is refused. */
  static boolean refusesToComplete(World world, String nonce, String approver) {
    CompleteRequest request = completion(nonce, approver);
    try {
      var unused = call(world, "complete", stub -> stub.complete(request));
      return false;
    } catch (StatusRuntimeException e) {
      return isConflict(e);
    }
  }

  private static CompleteRequest completion(String nonce, String approver) {
    PairingDevice device =
        PairingDevice.newBuilder()
            .setApproverId(approver)
            .setDeviceId("device-1")
            .setPublicKey("a3g")
            .setSigningKey("c2lnbg")
            .build();
    return CompleteRequest.newBuilder().setNonce(nonce).setDevice(device).build();
  }

  static void confirm(World world, String nonce, String mac) {
    ConfirmRequest request = ConfirmRequest.newBuilder().setNonce(nonce).setMac(mac).build();
    var unused = call(world, "confirm", stub -> stub.confirm(request));
  }

  /** Returns whether another proof than the first one is refused. */
  static boolean refusesToConfirm(World world, String nonce, String mac) {
    try {
      confirm(world, nonce, mac);
      return false;
    } catch (StatusRuntimeException e) {
      return isConflict(e);
    }
  }

  private static boolean isConflict(StatusRuntimeException refused) {
    return Refusal.of(
                () -> {
                  throw refused;
                })
            .getCode()
        == ErrorCode.ERROR_CODE_CONFLICT;
  }

  static PairingStatus status(World world, String nonce) {
    return call(world, "read pairing", stub -> stub.getPairing(ofNonce(nonce)));
  }

  /** Returns what a device reads of its pairing; empty if its token is not valid any more. */
  static Optional<PairingStatus> statusOf(World world, String deviceToken, String nonce) {
    try {
      return Optional.of(
          world.callAs(
              "read pairing",
              deviceToken,
              channel -> PairingServiceGrpc.newBlockingStub(channel).getPairing(ofNonce(nonce))));
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.UNAUTHENTICATED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static GetPairingRequest ofNonce(String nonce) {
    return GetPairingRequest.newBuilder().setNonce(nonce).build();
  }

  private static <T> T call(
      World world, String what, Function<PairingServiceBlockingStub, T> call) {
    return world.call(what, channel -> call.apply(PairingServiceGrpc.newBlockingStub(channel)));
  }
}
