package dev.bridle.gateway.kit.listener;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;

/**
 * Answers a client that speaks plaintext HTTP to a port of TLS, in words. The TLS handler would
 * close the connection without an answer, and log what the client has sent, credentials included.
 */
final class TlsOnly extends ChannelInboundHandlerAdapter {
  /** The content type of handshake records, with which each TLS connection begins (RFC 8446). */
  private static final int HANDSHAKE = 22;

  private static final String MESSAGE = "This port speaks TLS: use https://.\n";
  private static final byte[] ANSWER =
      ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n"
              + "Content-Length: "
              + MESSAGE.length()
              + "\r\n\r\n"
              + MESSAGE)
          .getBytes(StandardCharsets.US_ASCII);

  private boolean refused;

  private TlsOnly() {}

  /** Installs the check on a new connection, before its TLS handler. */
  static void install(ChannelPipeline pipeline) {
    pipeline.addFirst(new TlsOnly());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
    } else if (message instanceof ByteBuf bytes
        && bytes.isReadable()
        && bytes.getUnsignedByte(bytes.readerIndex()) != HANDSHAKE) {
      refused = true;
      bytes.release();
      ctx.writeAndFlush(Unpooled.wrappedBuffer(ANSWER)).addListener(ChannelFutureListener.CLOSE);
    } else {
      ctx.fireChannelRead(message);
      ctx.pipeline().remove(this);
    }
  }
}
