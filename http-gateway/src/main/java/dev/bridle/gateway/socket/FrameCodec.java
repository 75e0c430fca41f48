package dev.bridle.gateway.socket;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.websocket.WebSocketService;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.ProtocolVersions;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;

/** Armeria's reading and writing of WebSocket frames. */
public final class FrameCodec {

  // Long enough for a client to answer a closing frame.
  private static final long CLOSE_MILLIS = 5_000;

  private final int maxFrameBytes;
  private final int maxFrameDepth;
  private final WebSocketService service;

  /**
   * Reads messages up to a length, whose bodies nest as deep as those of requests may.
   *
   * @param maxBodyDepth how deep the member {@code body} may nest
   */
  public FrameCodec(int maxFrameBytes, int maxBodyDepth) {
    this.maxFrameBytes = maxFrameBytes;
    this.maxFrameDepth = maxBodyDepth + 1;
    this.service =
        WebSocketService.builder((ctx, in) -> WebSocket.streaming())
            .maxFramePayloadLength(maxFrameBytes)
            // The handshake looks at origins itself: clients that are no browsers have none.
            .allowedOrigins("*")
            .subprotocols(ProtocolVersions.SUPPORTED)
            .build();
  }

  int maxFrameBytes() {
    return maxFrameBytes;
  }

  /** What a message asks for. */
  ClientFrame parse(byte[] message) {
    return ClientFrame.parse(message, maxFrameDepth);
  }

  WebSocketService service() {
    return service;
  }

  /** The frames that a client sends. */
  WebSocket decode(Exchange exchange) {
    ServiceRequestContext ctx = exchange.ctx();
    ctx.setRequestAutoAbortDelayMillis(CLOSE_MILLIS);
    return service.protocolHandler().decode(ctx, exchange.request());
  }

  /** The answer to an upgrade that is granted, once its frames are {@linkplain #decode decoded}. */
  HttpResponse encode(Exchange exchange, WebSocket out) {
    return service.protocolHandler().encode(exchange.ctx(), out);
  }

  /**
   * Closes the connection after all that has been written: both sides have said that they close.
   */
  void hangUp(Exchange exchange) {
    ServiceRequestContext ctx = exchange.ctx();
    if (!ctx.sessionProtocol().isMultiplex()) {
      // Armeria would wait for some seconds, and browsers with it.
      var unused =
          ctx.log()
              .partial()
              .channel()
              .writeAndFlush(Unpooled.EMPTY_BUFFER)
              .addListener(ChannelFutureListener.CLOSE);
    }
  }
}
