package dev.bridle.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.connection.ConnectionRegistry.Connection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConnectionRegistryTest {
  private static final InetSocketAddress LOCAL = new InetSocketAddress(at("10.0.0.1"), 9090);
  private static final ConnectionLimits LIMITS =
      new ConnectionLimits(6, 4, 5, 2, Duration.ofSeconds(10));

  private final AtomicInteger firstCalls = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final ConnectionRegistry registry = new ConnectionRegistry("test", LIMITS, () -> 0);
  private int port = 1000;

  private static InetAddress at(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private record Client(InetSocketAddress from, Optional<Connection> connection) {
    boolean isAdmitted() {
      return connection.isPresent();
    }

    void release() {
      connection.orElseThrow().release();
    }
  }

  private Client connect(String address) {
    InetSocketAddress from = new InetSocketAddress(at(address), port++);
    return new Client(
        from, registry.admit(from, LOCAL, firstCalls::incrementAndGet, closed::incrementAndGet));
  }

  private Client connectAndCall(String address) {
    Client client = connect(address);
    registry.called(client.from(), LOCAL);
    return client;
  }

  @Test
  void connectionsWithoutACallAreBoundedByAddress() {
    assertThat(connect("192.0.2.1").isAdmitted()).isTrue();
    assertThat(connect("192.0.2.1").isAdmitted()).isTrue();

    assertThat(connect("192.0.2.1").isAdmitted()).isFalse();
    assertThat(connect("192.0.2.2").isAdmitted()).isTrue();
    assertThat(registry.refusedConnections()).isEqualTo(1);
  }

  @Test
  void connectionsWithoutACallAreBoundedInAll() {
    for (int i = 1; i <= 5; i++) {
      assertThat(connect("192.0.2." + i).isAdmitted()).isTrue();
    }

    assertThat(connect("192.0.2.6").isAdmitted()).isFalse();
    assertThat(registry.waitingConnections()).isEqualTo(5);
  }

  @Test
  void aCallMakesRoomForConnectionsThatWait() {
    connectAndCall("192.0.2.1");
    connectAndCall("192.0.2.1");

    assertThat(registry.waitingConnections()).isZero();
    assertThat(connect("192.0.2.1").isAdmitted()).isTrue();
  }

  @Test
  void connectionsOfOneAddressAreBoundedWhateverTheyCall() {
    for (int i = 0; i < 4; i++) {
      assertThat(connectAndCall("192.0.2.1").isAdmitted()).isTrue();
    }

    assertThat(connect("192.0.2.1").isAdmitted()).isFalse();
    assertThat(connect("192.0.2.2").isAdmitted()).isTrue();
  }

  @Test
  void connectionsAreBoundedInAllWhateverTheyCall() {
    for (int i = 1; i <= 6; i++) {
      assertThat(connectAndCall("192.0.2." + i).isAdmitted()).isTrue();
    }

    assertThat(connect("192.0.2.7").isAdmitted()).isFalse();
    assertThat(registry.openConnections()).isEqualTo(6);
  }

  @Test
  void aConnectionThatIsReleasedMakesRoomOnce() {
    Client first = connect("192.0.2.1");
    Client second = connectAndCall("192.0.2.1");
    connect("192.0.2.1");
    first.release();
    first.release();
    second.release();

    assertThat(registry.openConnections()).isEqualTo(1);
    assertThat(registry.waitingConnections()).isEqualTo(1);
    assertThat(connect("192.0.2.1").isAdmitted()).isTrue();
    assertThat(connect("192.0.2.1").isAdmitted()).isFalse();
  }

  @Test
  void onlyTheFirstCallOfAnOpenConnectionIsReported() {
    Client client = connectAndCall("192.0.2.1");
    registry.called(client.from(), LOCAL);
    Client gone = connect("192.0.2.1");
    gone.release();
    registry.called(gone.from(), LOCAL);

    assertThat(firstCalls).hasValue(1);
    assertThat(client.connection().orElseThrow().hasCalled()).isTrue();
    assertThat(registry.waitingConnections()).isZero();
  }

  @Test
  void aCallOnAPortThatIsUsedAgainIsTheNewConnections() {
    Client old = connect("192.0.2.1");
    Client next =
        new Client(
            old.from(),
            registry.admit(
                old.from(), LOCAL, firstCalls::incrementAndGet, closed::incrementAndGet));
    old.release();
    registry.called(next.from(), LOCAL);

    assertThat(next.connection().orElseThrow().hasCalled()).isTrue();
    assertThat(registry.openConnections()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "2001:db8:0:1::1, 2001:db8:0:1:ffff::2, false",
    "2001:db8:0:1::1, 2001:db8:0:2::1, true",
    "::ffff:192.0.2.1, 192.0.2.1, false",
    "192.0.2.1, 192.0.2.2, true"
  })
  void oneNetworkOfIpv6AddressesIsOneAddress(String first, String other, boolean hasRoom) {
    connect(first);
    connect(first);

    assertThat(connect(other).isAdmitted()).isEqualTo(hasRoom);
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "127.8.9.1", "::1"})
  void thisMachineIsBoundedInAllAlone(String loopback) {
    for (int i = 0; i < 5; i++) {
      assertThat(connect(loopback).isAdmitted()).isTrue();
    }

    assertThat(connect(loopback).isAdmitted()).isFalse();
  }

  @Test
  void aLowerBoundOfAllLowersTheOthers() {
    ConnectionLimits lowered = LIMITS.withMaxConnections(3);

    assertThat(lowered).isEqualTo(new ConnectionLimits(3, 3, 3, 2, Duration.ofSeconds(10)));
  }

  @Test
  void boundsThatAdmitNothingAreRejected() {
    assertThatThrownBy(() -> ConnectionLimits.of(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxConnections is 0");
    assertThatThrownBy(() -> ConnectionLimits.of(1, 0))
        .hasMessageContaining("maxConnectionsPerAddress is 0");
    assertThatThrownBy(() -> LIMITS.withFirstCallTime(Duration.ZERO))
        .hasMessageContaining("firstCallTime");
  }
}
