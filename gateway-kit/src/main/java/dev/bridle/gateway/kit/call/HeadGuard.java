package dev.bridle.gateway.kit.call;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rejects HTTP/1 requests whose head a proxy may interpret differently from this server (request
 * smuggling): without exactly one valid {@code Host} (RFC 9112, section 3.2), or with a {@code
 * Transfer-Encoding} that is not {@code chunked} (section 6.1).
 */
public final class HeadGuard extends ChannelInboundHandlerAdapter {
  private static final Pattern HOST = Pattern.compile("[\\w.~!$&'()*+,;=:%\\[\\]-]*");

  private HeadGuard() {}

  /** Installs the guard on a new connection of a port that speaks HTTP/1 and HTTP/2. */
  public static void install(ChannelPipeline pipeline) {
    pipeline.addFirst(new Installation());
  }

  /** Installs the guard on a new connection of a port that speaks both within TLS. */
  public static void installBehindTls(ChannelPipeline pipeline) {
    pipeline.addLast(new InstallationBehindTls());
  }

  /** Inserts the guard after Armeria's HTTP/1 codec, if the connection has one. */
  private static void insert(ChannelPipeline pipeline) {
    // The codec is not public; it is the only combined handler of a connection.
    ChannelHandlerContext codec = pipeline.context(CombinedChannelDuplexHandler.class);
    if (codec != null) {
      pipeline.addAfter(codec.name(), null, new HeadGuard());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request && request.decoderResult().isSuccess()) {
      fault(request)
          .ifPresent(fault -> request.setDecoderResult(DecoderResult.failure(new BadHead(fault))));
    }
    ctx.fireChannelRead(message);
  }

  private static Optional<String> fault(HttpRequest request) {
    HttpHeaders headers = request.headers();
    List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1) {
      return Optional.of("The request has more than one Host header.");
    }
    if (hosts.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
      return Optional.of("The request has no Host header.");
    }
    if (!hosts.isEmpty() && !HOST.matcher(hosts.get(0)).matches()) {
      return Optional.of("The Host header contains invalid characters.");
    }
    List<String> encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    boolean known =
        encodings.isEmpty()
            || (encodings.size() == 1
                && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(encodings.get(0).strip()));
    return known
        ? Optional.empty()
        : Optional.of("The Transfer-Encoding is not supported; expected 'chunked'.");
  }

  /** An invalid request head, with a message for the client. */
  static final class BadHead extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    BadHead(String fault) {
      super(fault);
    }
  }

  /**
   * Inserts the guard after the HTTP/1 codec, which Armeria adds when the first bytes are not the
   * HTTP/2 preface: passes these bytes on first, and the rest after the guard is installed.
   */
  private static final class Installation extends ChannelInboundHandlerAdapter {
    private static final int DECIDING_BYTES = 4;

    private int passed;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (!(message instanceof ByteBuf bytes)) {
        ctx.fireChannelRead(message);
        return;
      }
      int ahead = Math.min(DECIDING_BYTES - passed, bytes.readableBytes());
      passed += ahead;
      ByteBuf first = bytes.readRetainedSlice(ahead);
      ctx.fireChannelRead(first);
      if (passed == DECIDING_BYTES) {
        insert(ctx.pipeline());
        ctx.fireChannelRead(bytes);
        ctx.pipeline().remove(this);
      } else {
        bytes.release();
      }
    }
  }

  /**
   * Inserts the guard when the handshake has ended: Armeria, whose handler is before this one, has
   * then added the codec of the protocol that was negotiated, and nothing has been decrypted yet.
   */
  private static final class InstallationBehindTls extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof SslHandshakeCompletionEvent) {
        insert(ctx.pipeline());
        ctx.fireUserEventTriggered(event);
        ctx.pipeline().remove(this);
      } else {
        ctx.fireUserEventTriggered(event);
      }
    }
  }
}
