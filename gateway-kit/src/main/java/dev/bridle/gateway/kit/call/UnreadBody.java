package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes HTTP/1 connections after a response that is sent before the request's body was read: the
 * server would otherwise read and discard the rest of the body without a timeout. Keeps the
 * connection if little of the body is left. HTTP/2 streams end by themselves.
 */
public final class UnreadBody {
  private static final long KEPT_BYTES = 64 << 10;

  private final ServiceRequestContext ctx;
  private final HttpRequest request;
  private final boolean endless;

  private UnreadBody(ServiceRequestContext ctx, HttpRequest request, boolean endless) {
    this.ctx = ctx;
    this.request = request;
    this.endless = endless;
  }

  /** Returns the body of a request. */
  public static UnreadBody of(ServiceRequestContext ctx, HttpRequest request) {
    long length = request.headers().contentLength();
    boolean bounded = length >= 0 && length <= KEPT_BYTES;
    return new UnreadBody(
        ctx, request, !ctx.sessionProtocol().isMultiplex() && !request.isEmpty() && !bounded);
  }

  /**
   * Returns the response, with {@code Connection: close} if too much of the body is left when it is
   * sent.
   */
  public HttpResponse ended(HttpResponse response) {
    return endless ? response.mapHeaders(this::ended) : response;
  }

  private ResponseHeaders ended(ResponseHeaders headers) {
    if (request.isComplete()) {
      return headers;
    }
    var unused = ctx.log().whenComplete().thenAccept(log -> discardAll(log.channel()));
    return headers.toBuilder().set(HttpHeaderNames.CONNECTION, "close").build();
  }

  /**
   * Discards incoming bytes until the connection is closed, which waits briefly for the client to
   * read the response. Decoding the bytes first would cost far more for small chunks.
   */
  private static void discardAll(Channel channel) {
    if (channel != null) {
      channel.eventLoop().execute(() -> channel.pipeline().addFirst(new Discarding()));
    }
  }

  private static final class Discarding extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }
  }
}
