package dev.bridle.core.server;

import dev.bridle.connection.ConnectionGate;
import dev.bridle.connection.ConnectionRegistry;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.call.BoundedRequests;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The network listener of a core, with the bounds of its connections: how many there are, what each
 * may have open before its caller is known, and how long one stays that nobody uses. As an
 * interceptor behind authentication it knows whose connections they are.
 */
final class GrpcListener implements ServerInterceptor, AutoCloseable {
  static final int MAX_MESSAGE_BYTES = 4 << 20;

  /** The maximum number of open calls on a connection without an authenticated call. */
  static final int MAX_CALLS_BEFORE_AUTHENTICATION = 64;

  /** More than a worker has tasks at once, each with a call. */
  static final int MAX_CALLS_PER_CONNECTION = 2000;

  /** What a connection may have sent that no call has asked for. */
  private static final int WINDOW_BYTES = 1 << 20;

  /** The maximum size of a call's headers, half of what a call without a caller counts for. */
  private static final int MAX_HEADER_BYTES = 8 << 10;

  private static final Duration IDLE = Duration.ofMinutes(5);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
  private static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(20);

  private final ListenerOptions options;
  private final ConnectionRegistry connections;
  private final EventLoopGroup acceptor =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("bridle-grpc-accept", true), NioIoHandler.newFactory());
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(
          0, new DefaultThreadFactory("bridle-grpc", true), NioIoHandler.newFactory());

  GrpcListener(ListenerOptions options) {
    this.options = options;
    this.connections = new ConnectionRegistry("gRPC", options.connections(), System::nanoTime);
  }

  /** Returns the connections. */
  ConnectionRegistry connections() {
    return connections;
  }

  /** Returns a builder of the server that listens, without services and interceptors. */
  NettyServerBuilder builder() {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(options.host(), options.grpcPort()))
            .channelFactory(this::serverChannel)
            .bossEventLoopGroup(acceptor)
            .workerEventLoopGroup(loops)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .maxInboundMetadataSize(MAX_HEADER_BYTES)
            .maxConcurrentCallsPerConnection(MAX_CALLS_BEFORE_AUTHENTICATION)
            .flowControlWindow(WINDOW_BYTES)
            .withChildOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(BoundedRequests.READ_BYTES))
            .maxConnectionIdle(IDLE.toSeconds(), TimeUnit.SECONDS)
            .keepAliveTime(KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
            .permitKeepAliveTime(10, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true);
    return options
        .certificate()
        .map(certificate -> builder.sslContext(tls(certificate)))
        .orElse(builder);
  }

  private ServerChannel serverChannel() {
    NioServerSocketChannel channel = new NioServerSocketChannel();
    channel.pipeline().addLast(new ConnectionGate(connections, GrpcListener::allowAllCalls));
    return channel;
  }

  /** Raises the bound of open calls, which is announced to the client. */
  private static void allowAllCalls(Channel channel) {
    ChannelHandlerContext ctx = channel.pipeline().context(Http2ConnectionHandler.class);
    if (ctx == null) {
      return; // The connection has ended.
    }
    Http2ConnectionHandler http2 = (Http2ConnectionHandler) ctx.handler();
    http2.connection().remote().maxActiveStreams(MAX_CALLS_PER_CONNECTION);
    var unused =
        http2
            .encoder()
            .writeSettings(
                ctx,
                new Http2Settings().maxConcurrentStreams(MAX_CALLS_PER_CONNECTION),
                ctx.newPromise());
    ctx.flush();
  }

  private static SslContext tls(X509ExtendedKeyManager certificate) {
    try {
      // The JDK's engine asks for the certificate at each handshake.
      return GrpcSslContexts.configure(SslContextBuilder.forServer(certificate), SslProvider.JDK)
          .protocols("TLSv1.3", "TLSv1.2")
          .build();
    } catch (SSLException e) {
      throw new IllegalArgumentException("the certificate can't be used for TLS", e);
    }
  }

  /** Marks the connection of a call whose caller is known. */
  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (Caller.of(Context.current()).isPresent()) {
      Attributes ends = call.getAttributes();
      connections.called(
          ends.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR), ends.get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR));
    }
    return next.startCall(call, headers);
  }

  /** Ends the threads of connections, after the server. */
  @Override
  public void close() {
    var unusedAcceptor = acceptor.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    var unusedLoops = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
