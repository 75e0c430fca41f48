package dev.bridle.core.integrations.relay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.relay.v1.ChannelMessage;
import dev.bridle.relay.v1.OpenRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayChannelServiceGrpc;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A channel of a party, and what it has received. */
public final class OpenChannel
    implements ClientResponseObserver<OpenRequest, ChannelMessage>, AutoCloseable {
  private final boolean slow;
  private final List<ChannelMessage> received = new CopyOnWriteArrayList<>();
  private volatile Optional<ClientCallStreamObserver<OpenRequest>> call = Optional.empty();
  private volatile Optional<Throwable> failure = Optional.empty();

  private OpenChannel(boolean slow) {
    this.slow = slow;
  }

  /** Opens a channel that takes all messages. */
  public static OpenChannel of(Channel caller, PartyRole role, String party) {
    return open(caller, role, party, false, true);
  }

  /** Opens a channel that claims no id. */
  static OpenChannel reading(Channel caller, PartyRole role, String party) {
    return open(caller, role, party, false, false);
  }

  /** Opens a channel that requests one message, and the next ones on demand. */
  static OpenChannel slow(Channel caller, PartyRole role, String party) {
    return open(caller, role, party, true, true);
  }

  private static OpenChannel open(
      Channel caller, PartyRole role, String party, boolean slow, boolean claim) {
    OpenChannel channel = new OpenChannel(slow);
    RelayChannelServiceGrpc.newStub(caller)
        .open(
            OpenRequest.newBuilder()
                .setRole(role)
                .setPartyId(party)
                .setTransport("websocket")
                .setClaim(claim)
                .build(),
            channel);
    return channel;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<OpenRequest> stream) {
    call = Optional.of(stream);
    if (slow) {
      stream.disableAutoRequestWithInitial(1);
    }
  }

  @Override
  public void onNext(ChannelMessage message) {
    received.add(message);
  }

  @Override
  public void onError(Throwable error) {
    failure = Optional.of(error);
  }

  @Override
  public void onCompleted() {}

  void take(int messages) {
    call.orElseThrow().request(messages);
  }

  boolean isOpen() {
    return !received.isEmpty();
  }

  /** Returns the channel's id, once it is open. */
  String id() {
    return received.get(0).getChannelId();
  }

  /** Returns the envelopes that came. */
  public List<JsonNode> envelopes() {
    return received.stream()
        .skip(1)
        .filter(message -> !message.getWake())
        .map(message -> SampleEnvelopes.json(message.getEnvelope()))
        .toList();
  }

  /** Returns how often the party was woken, to read its inbox. */
  public long wakes() {
    return received.stream().filter(ChannelMessage::getWake).count();
  }

  /** Returns the requests of the envelopes that came. */
  List<String> requests() {
    return RelayClient.ids(envelopes());
  }

  /** Returns what the channel ended with, if it did. */
  public Optional<Throwable> failure() {
    return failure;
  }

  @Override
  public void close() {
    call.orElseThrow().cancel("closed by its party", null);
  }
}
