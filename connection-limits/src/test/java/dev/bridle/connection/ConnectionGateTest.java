package dev.bridle.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Channels without sockets, on whose clocks time passes when the test says so. */
final class ConnectionGateTest {
  private static final InetSocketAddress CLIENT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
  private static final Duration TIME = Duration.ofSeconds(10);

  private final ConnectionRegistry registry =
      new ConnectionRegistry("test", new ConnectionLimits(3, 3, 1, 1, TIME), () -> 0);

  /** A channel whose peer has an address. */
  private static final class Accepted extends EmbeddedChannel {
    Accepted(ChannelHandler... handlers) {
      super(false, false, handlers);
    }

    @Override
    protected SocketAddress remoteAddress0() {
      return CLIENT;
    }
  }

  private Accepted installed() throws Exception {
    Accepted channel =
        new Accepted(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel to) {
                ConnectionGate.install(to.pipeline(), registry);
              }
            });
    channel.register();
    channel.freezeTime();
    return channel;
  }

  private static void pass(EmbeddedChannel channel, int seconds) {
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runPendingTasks();
  }

  @Test
  void aConnectionWithoutACallIsClosedAfterItsTime() throws Exception {
    Accepted channel = installed();
    pass(channel, 5);
    assertThat(channel.isOpen()).isTrue();
    pass(channel, 5);

    assertThat(channel.isOpen()).isFalse();
    assertThat(registry.openConnections()).isZero();
  }

  @Test
  void aConnectionWithACallStays() throws Exception {
    Accepted channel = installed();
    registry.called(channel.remoteAddress(), channel.localAddress());
    pass(channel, 60);

    assertThat(channel.isOpen()).isTrue();
    assertThat(registry.openConnections()).isEqualTo(1);
  }

  @Test
  void aConnectionBeyondABoundIsClosedAndNotCounted() throws Exception {
    Accepted first = installed();
    Accepted second = installed();

    assertThat(second.isOpen()).isFalse();
    assertThat(first.isOpen()).isTrue();
    assertThat(registry.openConnections()).isEqualTo(1);
    assertThat(registry.refusedConnections()).isEqualTo(1);
  }

  @Test
  void aConnectionThatItsClientClosesIsReleased() throws Exception {
    Accepted channel = installed();
    channel.close().sync();

    assertThat(registry.openConnections()).isZero();
    assertThat(registry.waitingConnections()).isZero();
  }

  @Test
  void aListeningSocketPassesOnWhatItAdmitsAlone() throws Exception {
    List<Channel> called = new ArrayList<>();
    EmbeddedChannel listening = new EmbeddedChannel(new ConnectionGate(registry, called::add));
    Accepted first = new Accepted();
    Accepted second = new Accepted();
    listening.writeInbound(first, second);

    assertThat(listening.<Channel>readInbound()).isSameAs(first);
    assertThat(listening.<Channel>readInbound()).isNull();
    assertThat(second.isOpen()).isFalse();
    first.register();
    first.freezeTime();
    registry.called(first.remoteAddress(), null);
    pass(first, 60);
    assertThat(first.isOpen()).isTrue();
    assertThat(called).containsExactly(first);
  }
}
