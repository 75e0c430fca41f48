package dev.bridle.gateway.kit.call;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.gateway.kit.error.ProtocolException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AddressRateTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AddressRate rate = new AddressRate(2, Duration.ofSeconds(10), nanos::get);

  private void take(String address) throws UnknownHostException {
    rate.take(InetAddress.getByName(address));
  }

  private void assertRefused(String address) {
    assertThatThrownBy(() -> take(address)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void anAddressHasSoManyAtOnceAndOneMoreAfterEachInterval() throws Exception {
    take("10.0.0.1");
    take("10.0.0.1");
    assertRefused("10.0.0.1");

    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    assertRefused("10.0.0.1");
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    take("10.0.0.1");
    assertRefused("10.0.0.1");
  }

  @Test
  void aLongPauseGivesNoMoreThanTheBurst() throws Exception {
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    take("10.0.0.1");
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    take("10.0.0.1");
    take("10.0.0.1");

    assertRefused("10.0.0.1");
  }

  @Test
  void anotherAddressHasItsOwn() throws Exception {
    take("10.0.0.1");
    take("10.0.0.1");

    assertThatCode(() -> take("10.0.0.2")).doesNotThrowAnyException();
  }

  @Test
  void theAddressesOfAnIpv6NetworkShareOne() throws Exception {
    take("2001:db8:1:2::1");
    take("2001:db8:1:2::2");

    assertRefused("2001:db8:1:2:ffff::3");
    take("2001:db8:1:3::1");
  }
}
