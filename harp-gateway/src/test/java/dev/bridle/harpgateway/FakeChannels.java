package dev.bridle.harpgateway;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.relay.v1.ChannelMessage;
import dev.bridle.relay.v1.GetPresenceRequest;
import dev.bridle.relay.v1.ListPresenceRequest;
import dev.bridle.relay.v1.ListPresenceResponse;
import dev.bridle.relay.v1.OpenRequest;
import dev.bridle.relay.v1.Presence;
import dev.bridle.relay.v1.RelayChannelServiceGrpc;
import dev.bridle.relay.v1.RequestRefreshRequest;
import dev.bridle.relay.v1.RequestRefreshResponse;
import dev.bridle.relay.v1.UpdateRequest;
import dev.bridle.relay.v1.UpdateResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Channels of the core that send what a test has set. */
final class FakeChannels extends RelayChannelServiceGrpc.RelayChannelServiceImplBase {
  private final List<Message> asked = new CopyOnWriteArrayList<>();
  private volatile Optional<ServerCallStreamObserver<ChannelMessage>> open = Optional.empty();
  private final Map<String, ServerCallStreamObserver<ChannelMessage>> byParty =
      new ConcurrentHashMap<>();
  private volatile Optional<ErrorDetail> failure = Optional.empty();
  private volatile List<Presence> presences = List.of();

  /** Refuses each call. */
  void refuse(ErrorDetail detail) {
    failure = Optional.of(detail);
  }

  void present(Presence... given) {
    presences = List.of(given);
  }

  void forget() {
    asked.clear();
    open = Optional.empty();
    failure = Optional.empty();
    presences = List.of();
  }

  List<Message> allAsked() {
    return asked;
  }

  /** Waits for a channel. */
  ServerCallStreamObserver<ChannelMessage> opened() {
    await().until(() -> open.isPresent());
    return open.get();
  }

  /** Waits for a channel of a party. */
  ServerCallStreamObserver<ChannelMessage> openedBy(String party) {
    await().until(() -> byParty.containsKey(party));
    return byParty.get(party);
  }

  /** Sends an envelope on the channel. */
  void send(String envelope) {
    send(opened(), envelope);
  }

  /** Wakes the party of the channel. */
  void wake() {
    opened().onNext(ChannelMessage.newBuilder().setWake(true).build());
  }

  static void send(ServerCallStreamObserver<ChannelMessage> channel, String envelope) {
    channel.onNext(
        ChannelMessage.newBuilder().setEnvelope(ByteString.copyFromUtf8(envelope)).build());
  }

  private boolean refused(Message request, StreamObserver<?> response) {
    asked.add(request);
    failure.ifPresent(detail -> response.onError(FakeRelay.failure(detail)));
    return failure.isPresent();
  }

  @Override
  public void open(OpenRequest request, StreamObserver<ChannelMessage> response) {
    if (!refused(request, response)) {
      response.onNext(ChannelMessage.newBuilder().setChannelId("channel-1").build());
      var call = (ServerCallStreamObserver<ChannelMessage>) response;
      call.setOnCancelHandler(() -> {});
      byParty.put(request.getPartyId(), call);
      open = Optional.of(call);
    }
  }

  @Override
  public void update(UpdateRequest request, StreamObserver<UpdateResponse> response) {
    if (!refused(request, response)) {
      response.onNext(UpdateResponse.getDefaultInstance());
      response.onCompleted();
    }
  }

  @Override
  public void requestRefresh(
      RequestRefreshRequest request, StreamObserver<RequestRefreshResponse> response) {
    if (!refused(request, response)) {
      response.onNext(RequestRefreshResponse.getDefaultInstance());
      response.onCompleted();
    }
  }

  @Override
  public void listPresence(
      ListPresenceRequest request, StreamObserver<ListPresenceResponse> response) {
    if (!refused(request, response)) {
      response.onNext(ListPresenceResponse.newBuilder().addAllData(presences).build());
      response.onCompleted();
    }
  }

  @Override
  public void getPresence(GetPresenceRequest request, StreamObserver<Presence> response) {
    if (!refused(request, response)) {
      response.onNext(presences.get(0));
      response.onCompleted();
    }
  }
}
