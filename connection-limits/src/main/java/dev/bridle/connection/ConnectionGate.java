package dev.bridle.connection;

import dev.bridle.connection.ConnectionRegistry.Connection;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Applies a {@link ConnectionRegistry} to the channels of a listener: closes those that are refused
 * without reading from them, and those that make no call in time.
 */
@Sharable
public final class ConnectionGate extends ChannelInboundHandlerAdapter {
  private final ConnectionRegistry registry;
  private final Consumer<Channel> onFirstCall;

  /**
   * Creates a handler for the channel of a listening socket. It has to come before the handler that
   * registers accepted channels.
   *
   * @param onFirstCall runs at an accepted channel's first call, on its event loop
   */
  public ConnectionGate(ConnectionRegistry registry, Consumer<Channel> onFirstCall) {
    this.registry = registry;
    this.onFirstCall = onFirstCall;
  }

  /** Receives an accepted channel, which is not registered with an event loop yet. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof Channel accepted)) {
      ctx.fireChannelRead(message);
      return;
    }
    Optional<Connection> admitted = admit(registry, accepted, onFirstCall);
    if (admitted.isEmpty()) {
      resetAtClose(accepted);
      accepted.unsafe().closeForcibly();
      return;
    }
    accepted.pipeline().addFirst(new Deadline(registry, admitted.get()));
    ctx.fireChannelRead(accepted);
  }

  /**
   * Applies a registry to one accepted channel that is registered and not active yet, where the
   * listening socket's channel is out of reach. To be called after all other handlers were added.
   */
  public static void install(ChannelPipeline pipeline, ConnectionRegistry registry) {
    Optional<Connection> admitted = admit(registry, pipeline.channel(), channel -> {});
    pipeline.addFirst(
        admitted
            .<ChannelInboundHandlerAdapter>map(connection -> new Deadline(registry, connection))
            .orElseGet(Refusal::new));
  }

  /** A connection that has lost its client meanwhile has no address any more, and is refused. */
  private static Optional<Connection> admit(
      ConnectionRegistry registry, Channel channel, Consumer<Channel> onFirstCall) {
    if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
      return Optional.empty();
    }
    Optional<Connection> admitted =
        registry.admit(
            remote,
            channel.localAddress(),
            () -> channel.eventLoop().execute(() -> onFirstCall.accept(channel)),
            () -> channel.eventLoop().execute(() -> closeNow(channel)));
    admitted.ifPresent(
        connection -> channel.closeFuture().addListener(closed -> connection.release()));
    return admitted;
  }

  /** A closed connection must not stay in the system's tables, of which a flood would fill them. */
  private static void resetAtClose(Channel channel) {
    channel.config().setOption(ChannelOption.SO_LINGER, 0);
  }

  /** Closes the socket itself, and drops what its client has not read. */
  private static void closeNow(Channel channel) {
    if (channel.isOpen()) {
      resetAtClose(channel);
      var unused = channel.pipeline().firstContext().close();
    }
  }

  /** Closes a connection that makes no call in time. */
  private static final class Deadline extends ChannelInboundHandlerAdapter {
    private final ConnectionRegistry registry;
    private final Connection connection;
    private Future<?> end = CompletableFuture.completedFuture(null);

    Deadline(ConnectionRegistry registry, Connection connection) {
      this.registry = registry;
      this.connection = connection;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      end =
          ctx.executor()
              .schedule(
                  () -> closeWaiting(ctx),
                  registry.firstCallTime().toNanos(),
                  TimeUnit.NANOSECONDS);
      ctx.fireChannelActive();
    }

    /** Closes the socket itself: handlers of HTTP/2 would first wait for calls to end. */
    private void closeWaiting(ChannelHandlerContext ctx) {
      if (!connection.hasCalled()) {
        var unused = ctx.close();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      end.cancel(false);
      ctx.fireChannelInactive();
    }
  }

  /** Closes a connection as soon as it is active. */
  private static final class Refusal extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      resetAtClose(ctx.channel());
      var unused = ctx.close();
    }
  }
}
