package dev.bridle.harpgateway;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.api.v1.PageInfo;
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
import dev.bridle.relay.v1.PairingDevice;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.relay.v1.PairingStatus;
import dev.bridle.relay.v1.ResolveRequest;
import dev.bridle.relay.v1.ResolveResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** One pairing in the core, which is made up. */
final class FakePairing extends PairingServiceGrpc.PairingServiceImplBase {
  static final PairingOffer OFFER =
      PairingOffer.newBuilder()
          .setEnforcerId("ci")
          .setEnforcerLabel("CI")
          .setWorkspaceName("shop")
          .setPublicKey("key-e")
          .build();
  static final PairingDevice DEVICE =
      PairingDevice.newBuilder()
          .setApproverId("phone")
          .setDeviceId("d1")
          .setPublicKey("key-a")
          .setSigningKey("key-s")
          .setSignerKeyId("kid")
          .setApproverNonce("fresh")
          .setMac("mac")
          .setPossession("proof")
          .setCapabilities(ByteString.copyFromUtf8("{\"dev.bridle\":{\"v\":1}}"))
          .build();

  private static final Timestamp UNTIL = Timestamp.newBuilder().setSeconds(1_700_000_000).build();

  private final List<Message> asked = new CopyOnWriteArrayList<>();
  private volatile Optional<ErrorDetail> failure = Optional.empty();
  private volatile boolean completed;

  /** Refuses each call. */
  void refuse(ErrorDetail detail) {
    failure = Optional.of(detail);
  }

  void complete() {
    completed = true;
  }

  List<Message> allAsked() {
    return asked;
  }

  private <B> void answer(Message request, StreamObserver<B> response, B answer) {
    asked.add(request);
    if (failure.isPresent()) {
      response.onError(FakeRelay.failure(failure.get()));
    } else {
      response.onNext(answer);
      response.onCompleted();
    }
  }

  @Override
  public void initiate(InitiateRequest request, StreamObserver<InitiateResponse> response) {
    answer(
        request,
        response,
        InitiateResponse.newBuilder()
            .setCode("ABCD1234")
            .setNonce("nonce-1")
            .setExpiresAt(UNTIL)
            .build());
  }

  @Override
  public void resolve(ResolveRequest request, StreamObserver<ResolveResponse> response) {
    answer(
        request,
        response,
        ResolveResponse.newBuilder()
            .setNonce("nonce-1")
            .setOffer(OFFER)
            .setExpiresAt(UNTIL)
            .build());
  }

  @Override
  public void complete(CompleteRequest request, StreamObserver<CompleteResponse> response) {
    answer(
        request,
        response,
        CompleteResponse.newBuilder()
            .setRoutingToken("rt_1")
            .setDeviceToken("token-1")
            .setOffer(OFFER)
            .build());
  }

  @Override
  public void completeAsApprover(
      CompleteRequest request, StreamObserver<CompleteResponse> response) {
    answer(
        request,
        response,
        CompleteResponse.newBuilder().setRoutingToken("rt_2").setOffer(OFFER).build());
  }

  @Override
  public void confirm(ConfirmRequest request, StreamObserver<ConfirmResponse> response) {
    answer(request, response, ConfirmResponse.getDefaultInstance());
  }

  @Override
  public void getPairing(GetPairingRequest request, StreamObserver<PairingStatus> response) {
    PairingStatus.Builder status =
        PairingStatus.newBuilder().setNonce("nonce-1").setExpiresAt(UNTIL);
    if (completed) {
      status.setDevice(DEVICE).setRoutingToken("rt_1").setConfirmation("proof-e");
    }
    answer(request, response, status.build());
  }

  @Override
  public void listDevicesOfEnforcer(
      ListDevicesOfEnforcerRequest request,
      StreamObserver<ListDevicesOfEnforcerResponse> response) {
    PairedDevice.Builder device =
        PairedDevice.newBuilder()
            .setEnforcerId("ci")
            .setApproverId("phone")
            .setDeviceId("d1")
            .setSigningKey("key-s")
            .setPairedAt(UNTIL);
    answer(
        request,
        response,
        ListDevicesOfEnforcerResponse.newBuilder()
            .addData(device)
            .addData(device.setRevokedAt(UNTIL))
            .setPage(PageInfo.newBuilder().setHasMore(true).setNextCursor("c2"))
            .build());
  }
}
