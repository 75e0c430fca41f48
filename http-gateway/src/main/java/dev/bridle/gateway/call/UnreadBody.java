package dev.bridle.gateway.call;

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
 * Ends connections over HTTP/1 with an answer that comes before the request's body has: what is
 * left of it would be read and thrown away for as long as the client sends, and no time-out would
 * end it. Where little is left the connection stays. A stream of HTTP/2 ends by itself.
 */
final class UnreadBody {
  private static final long KEPT_BYTES = 64 << 10;

  private final ServiceRequestContext ctx;
  private final HttpRequest request;
  private final boolean endless;

  private UnreadBody(ServiceRequestContext ctx, HttpRequest request, boolean endless) {
    this.ctx = ctx;
    this.request = request;
    this.endless = endless;
  }

  /** The body of a request that is served. */
  static UnreadBody of(ServiceRequestContext ctx, HttpRequest request) {
    long length = request.headers().contentLength();
    boolean bounded = length >= 0 && length <= KEPT_BYTES;
    return new UnreadBody(
        ctx, request, !ctx.sessionProtocol().isMultiplex() && !request.isEmpty() && !bounded);
  }

  /** The answer, which says that the connection ends where too much of the body is left by then. */
  HttpResponse ended(HttpResponse response) {
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
   * Throws away what comes until the connection is closed, which waits a moment for the client to
   * read its answer. To decode it first would cost far more where chunks are tiny.
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
