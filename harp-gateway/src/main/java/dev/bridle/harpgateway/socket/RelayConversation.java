package dev.bridle.harpgateway.socket;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.websocket.WebSocketFrame;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.RequestIds;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.socket.Closing;
import dev.bridle.gateway.kit.socket.SocketSession;
import dev.bridle.gateway.kit.stream.CoreStream;
import dev.bridle.harpgateway.call.HarpCall;
import dev.bridle.harpgateway.envelope.EnvelopeHead;
import dev.bridle.harpgateway.envelope.HarpErrors;
import dev.bridle.relay.v1.ChannelMessage;
import dev.bridle.relay.v1.OpenRequest;
import dev.bridle.relay.v1.RelayChannelServiceGrpc;
import dev.bridle.relay.v1.UpdateResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Serves one WebSocket: sends the envelopes of a party's channel, and submits the client's, one at
 * a time. Presence begins when the channel opens; a {@code hello} adds what the party says about
 * itself, and has no reply.
 */
final class RelayConversation extends SocketSession implements CoreStream.Receiver {
  private static final String HELLO = "hello";

  private final HarpCall call;
  private final OpenRequest party;
  private final CoreCalls core;
  private final CoreStream stream;
  private String channelId = "";

  RelayConversation(HarpCall call, OpenRequest party, RelaySockets sockets, String tenant) {
    super(
        call,
        sockets.codec(),
        sockets.settings(),
        sockets.streams(),
        sockets.bodies().messagesOf(tenant));
    bound(sockets.unsent(), tenant);
    this.call = call;
    this.party = party;
    this.core = sockets.core();
    this.stream = new CoreStream(core, call, this, CoreStream.Window.ONE);
  }

  HttpResponse start() {
    HttpResponse response = response();
    stream.start(party);
    return response;
  }

  // Callbacks of the core's channel.

  @Override
  public synchronized void message(CoreStream from, Message message) {
    if (isClosed()) {
      return;
    }
    ChannelMessage sent = (ChannelMessage) message;
    if (sent.getWake()) {
      from.taken(); // HARP has no message for it; its pings are those of the protocol below.
    } else if (sent.getEnvelope().isEmpty()) {
      channelId = sent.getChannelId();
      accept();
      from.taken();
    } else {
      sendCounted(frame(sent.getEnvelope()), from::taken);
    }
  }

  @Override
  public synchronized void end(CoreStream from) {
    if (!isClosed()) {
      drain();
    }
  }

  @Override
  public synchronized void failure(CoreStream from, ProtocolError error) {
    if (isClosed()) {
      return;
    }
    if (isAccepted()) {
      fail(error, Closing.of(error));
    } else {
      reject(error);
    }
  }

  // Messages of the client.

  @Override
  protected void received(byte[] message) {
    String requestId = RequestIds.mint();
    Optional<String> about = Optional.empty();
    try {
      EnvelopeHead head = EnvelopeHead.read(message);
      about = head.requestId();
      if (head.type().equals(HELLO)) {
        hello(message, requestId);
      } else {
        submit(head, message, requestId);
      }
    } catch (ProtocolException e) {
      reply(frame(HarpErrors.FORMAT.body(HarpErrors.about(about, e.error()), requestId)));
    }
  }

  private void hello(byte[] message, String requestId) {
    CompletableFuture<UpdateResponse> updated =
        core.unary(
            RelayChannelServiceGrpc.getUpdateMethod(),
            Hello.read(message)
                .setChannelId(channelId)
                .setRole(party.getRole())
                .setPartyId(party.getPartyId())
                .build(),
            CoreCalls.metadata(call, requestId),
            requestId);
    var unused =
        updated
            .<Optional<WebSocketFrame>>thenApply(done -> Optional.empty())
            .exceptionally(failure -> Optional.of(rejection(failure, requestId)))
            .thenAccept(this::end);
  }

  private void submit(EnvelopeHead head, byte[] message, String requestId) {
    Submission<?, ?> submission = Submission.BY_TYPE.get(head.type());
    if (submission == null) {
      throw new ProtocolException(
          ProtocolError.invalid(
              "msgType",
              "The type is not taken here; expected hello, artifact.submit, decision.submit or"
                  + " ack.submit."));
    }
    var unused =
        submission
            .send(core, call, ByteString.copyFrom(message), requestId)
            .thenApply(RelayConversation::frame)
            .exceptionally(failure -> rejection(failure, requestId))
            .thenAccept(reply -> end(Optional.of(reply)));
  }

  /** Ends the processing of the client's message, with a reply if it has one. */
  private synchronized void end(Optional<WebSocketFrame> reply) {
    if (reply.isPresent()) {
      reply(reply.get());
    } else {
      next();
    }
  }

  private WebSocketFrame rejection(Throwable failure, String requestId) {
    return rejection(Failures.error(call, failure), requestId);
  }

  // The session.

  @Override
  protected WebSocketFrame rejection(ProtocolError error, String requestId) {
    return frame(HarpErrors.FORMAT.body(error, requestId));
  }

  @Override
  protected WebSocketFrame lastError(ProtocolError error) {
    return rejection(error, call.requestId());
  }

  @Override
  protected void cancel(String reason) {
    stream.cancel(reason);
  }

  private static WebSocketFrame frame(ByteString envelope) {
    return frame(envelope.toByteArray());
  }

  private static WebSocketFrame frame(byte[] envelope) {
    return WebSocketFrame.ofText(envelope);
  }
}
