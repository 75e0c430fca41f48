package dev.bridle.gateway.socket;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.websocket.WebSocketService;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.ProtocolVersions;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;

/** Reads and writes WebSocket frames with Armeria. */
public final class FrameCodec {

  // Long enough for a client to answer a close frame.
  private static final long CLOSE_MILLIS = 5_000;

  private final int maxFrameBytes;
  private final int maxFrameDepth;
  private final WebSocketService service;

  /**
   * Creates a codec with a maximum message size and a maximum nesting depth.
   *
   * @param maxBodyDepth the maximum nesting depth of the member {@code body}
   */
  public FrameCodec(int maxFrameBytes, int maxBodyDepth) {
    this.maxFrameBytes = maxFrameBytes;
    this.maxFrameDepth = maxBodyDepth + 1;
    this.service =
        WebSocketService.builder((ctx, in) -> WebSocket.streaming())
            .maxFramePayloadLength(maxFrameBytes)
            // The handshake checks origins itself, since clients other than browsers send none.
            .allowedOrigins("*")
            .subprotocols(ProtocolVersions.SUPPORTED)
            .build();
  }

  int maxFrameBytes() {
    return maxFrameBytes;
  }

  /** Parses a message. */
  ClientFrame parse(byte[] message) {
    return ClientFrame.parse(message, maxFrameDepth);
  }

  /** Returns the service by which Armeria knows that upgrades are accepted. */
  public WebSocketService service() {
    return service;
  }

  /** Returns the frames of a client. */
  WebSocket decode(Exchange exchange) {
    return decode(exchange.ctx(), exchange.request());
  }

  WebSocket decode(ServiceRequestContext ctx, HttpRequest request) {
    ctx.setRequestAutoAbortDelayMillis(CLOSE_MILLIS);
    return service.protocolHandler().decode(ctx, FrameHeads.whole(request));
  }

  /** Returns the response to an accepted upgrade. Call {@linkplain #decode decode} first. */
  HttpResponse encode(Exchange exchange, WebSocket out) {
    return service.protocolHandler().encode(exchange.ctx(), out);
  }

  /**
   * Closes the connection after all written data is flushed; both sides have sent a close frame.
   */
  void hangUp(Exchange exchange) {
    ServiceRequestContext ctx = exchange.ctx();
    if (!ctx.sessionProtocol().isMultiplex()) {
      // Armeria, and thus browsers, would otherwise wait for some seconds.
      var unused =
          ctx.log()
              .partial()
              .channel()
              .writeAndFlush(Unpooled.EMPTY_BUFFER)
              .addListener(ChannelFutureListener.CLOSE);
    }
  }
}
