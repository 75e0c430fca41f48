package dev.bridle.core.kernel.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
  private final AddressGuard closed = new AddressGuard(List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.0.1",
        "168.63.129.16",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::808:808",
        "::ffff:127.0.0.1",
        "::ffff:10.1.2.3",
        "::ffff:a9fe:a9fe",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:808:808::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fdff::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "ff0e::1"
      })
  void whatIsNotPublicIsRefused(String address) throws UnknownHostException {
    assertThat(closed.permits(address(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.1",
        "100.63.255.255",
        "100.128.0.1",
        "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255",
        "169.255.0.1",
        "172.15.255.255",
        "172.32.0.1",
        "192.0.1.1",
        "192.167.255.255",
        "192.169.0.1",
        "198.17.255.255",
        "198.20.0.1",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "2a00:1450::1"
      })
  void whatIsPublicIsPermittedEncrypted(String address) throws UnknownHostException {
    assertThat(closed.permits(address(address))).isTrue();
    assertThat(closed.permitsPlain(address(address))).isFalse();
  }

  @Test
  void aRangeThatIsAllowedIsPermittedAndNothingBesideIt() throws UnknownHostException {
    AddressGuard open = guard("10.1.0.0/16", "fd00:1::/32");

    assertThat(open.permits(address("10.1.255.255"))).isTrue();
    assertThat(open.permitsPlain(address("10.1.0.0"))).isTrue();
    assertThat(open.permits(address("::ffff:10.1.2.3"))).isTrue();
    assertThat(open.permits(address("fd00:1:ffff::1"))).isTrue();
    assertThat(open.permits(address("10.2.0.0"))).isFalse();
    assertThat(open.permits(address("10.0.255.255"))).isFalse();
    assertThat(open.permits(address("fd00:2::1"))).isFalse();
    assertThat(open.permits(address("127.0.0.1"))).isFalse();
    assertThat(open.permitsPlain(address("8.8.8.8"))).isFalse();
  }

  @Test
  void anAddressWithinAnotherIsLookedAtToo() throws UnknownHostException {
    AddressGuard open = guard("64:ff9b::/96", "2002::/16", "::/96");

    assertThat(open.permits(address("64:ff9b::808:808"))).isTrue();
    assertThat(open.permits(address("64:ff9b::a9fe:a9fe"))).isFalse();
    assertThat(open.permits(address("2002:a00:1::1"))).isFalse();
    assertThat(open.permits(address("2002:808:808::1"))).isTrue();
    assertThat(open.permits(address("::a00:1"))).isFalse();
    assertThat(open.permits(address("::1"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/8/8",
        "10.0.0.1/8",
        "010.0.0.0/8",
        "::/129",
        "fe80::1%eth0",
        "[::1]",
        "::ffff:10.0.0.0/104",
        "localhost",
        "10.0.0.0/ 8",
        "fd00::1/8"
      })
  void whatIsNoRangeIsNotRead(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> AddressRange.parse(text));
  }

  @Test
  void anAddressAloneIsARangeOfOne() throws UnknownHostException {
    AddressGuard open = guard("127.0.0.1", "::1");

    assertThat(open.permits(address("127.0.0.1"))).isTrue();
    assertThat(open.permits(address("::1"))).isTrue();
    assertThat(open.permits(address("127.0.0.2"))).isFalse();
    assertThat(AddressRange.parse("0.0.0.0/0").contains(address("1.2.3.4"))).isTrue();
  }

  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getAllByName(text)[0];
  }

  private static AddressGuard guard(String... ranges) {
    return new AddressGuard(Stream.of(ranges).map(AddressRange::parse).toList());
  }
}
