package dev.bridle.gateway.kit.socket;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.websocket.WebSocketService;
import dev.bridle.gateway.kit.call.Call;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import java.util.Collection;
import java.util.List;

/** Reads and writes WebSocket frames with Armeria. */
public final class FrameCodec {

  // Long enough for a client to answer a close frame.
  private static final long CLOSE_MILLIS = 5_000;

  private final int maxFrameBytes;
  private final int maxFrameDepth;
  private final WebSocketService service;

  /**
   * Creates a codec.
   *
   * @param maxFrameBytes the maximum size of a message
   * @param maxFrameDepth the maximum nesting depth of a message
   * @param subprotocols the supported subprotocols
   */
  public FrameCodec(int maxFrameBytes, int maxFrameDepth, Collection<String> subprotocols) {
    this.maxFrameBytes = maxFrameBytes;
    this.maxFrameDepth = maxFrameDepth;
    this.service =
        WebSocketService.builder((ctx, in) -> WebSocket.streaming())
            .maxFramePayloadLength(maxFrameBytes)
            // The handshake checks origins itself, since clients other than browsers send none.
            .allowedOrigins("*")
            .subprotocols(List.copyOf(subprotocols))
            .build();
  }

  /** Returns the maximum size of a message, in bytes. */
  public int maxFrameBytes() {
    return maxFrameBytes;
  }

  /** Returns the maximum nesting depth of a message. */
  public int maxFrameDepth() {
    return maxFrameDepth;
  }

  /** Returns the service by which Armeria knows that upgrades are accepted. */
  public WebSocketService service() {
    return service;
  }

  /** Returns the frames of a client, whose bytes are counted as they arrive. */
  WebSocket decode(Call call, Arriving arriving) {
    return decode(call.ctx(), call.request(), arriving);
  }

  WebSocket decode(ServiceRequestContext ctx, HttpRequest request, Arriving arriving) {
    ctx.setRequestAutoAbortDelayMillis(CLOSE_MILLIS);
    return service.protocolHandler().decode(ctx, FrameHeads.whole(request, arriving));
  }

  /** Returns the response to an accepted upgrade. Call {@linkplain #decode decode} first. */
  public HttpResponse encode(Call call, WebSocket out) {
    return service.protocolHandler().encode(call.ctx(), out);
  }

  /**
   * Closes the connection after all written data is flushed; both sides have sent a close frame.
   */
  public void hangUp(Call call) {
    ServiceRequestContext ctx = call.ctx();
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
