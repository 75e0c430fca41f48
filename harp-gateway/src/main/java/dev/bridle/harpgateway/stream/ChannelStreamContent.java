package dev.bridle.harpgateway.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.stream.CoreStream;
import dev.bridle.gateway.kit.stream.SseFrames;
import dev.bridle.gateway.kit.stream.StreamContent;
import dev.bridle.harpgateway.envelope.EnvelopeHead;
import dev.bridle.harpgateway.envelope.GatewayEnvelopes;
import dev.bridle.harpgateway.envelope.HarpErrors;
import dev.bridle.relay.v1.ChannelMessage;
import java.util.Optional;

/**
 * The messages of a channel as server-sent events: the type of the envelope as {@code event}, its
 * {@code msgId} as {@code id}, the envelope as {@code data}. A failure is an {@code error} envelope
 * at the end, and a silent stream has {@code ping} envelopes.
 */
final class ChannelStreamContent implements StreamContent {
  private final String requestId;

  ChannelStreamContent(String requestId) {
    this.requestId = requestId;
  }

  @Override
  public ResponseHeaders headers(Optional<Message> first) {
    return SseFrames.HEADERS;
  }

  /**
   * Returns nothing for the first message, which only names the channel, and a {@code ping}, which
   * all clients know, for one that wakes the approver.
   */
  @Override
  public Optional<HttpData> data(Message message) {
    ChannelMessage sent = (ChannelMessage) message;
    ByteString envelope = sent.getEnvelope();
    if (envelope.isEmpty()) {
      return sent.getWake() ? heartbeat() : Optional.empty();
    }
    byte[] json = envelope.toByteArray();
    EnvelopeHead head = EnvelopeHead.read(json);
    return Optional.of(SseFrames.frame(head.messageId(), head.type(), json));
  }

  @Override
  public boolean isLast(Message message) {
    return false;
  }

  @Override
  public Optional<HttpData> failure(ProtocolError error) {
    return Optional.of(frame("error", HarpErrors.FORMAT.body(error, requestId)));
  }

  @Override
  public Optional<HttpData> heartbeat() {
    return Optional.of(frame("ping", GatewayEnvelopes.ping()));
  }

  /** One: an envelope may have several megabytes. */
  @Override
  public CoreStream.Window window() {
    return CoreStream.Window.ONE;
  }

  private static HttpData frame(String type, byte[] envelope) {
    return SseFrames.frame(Optional.empty(), type, envelope);
  }
}
