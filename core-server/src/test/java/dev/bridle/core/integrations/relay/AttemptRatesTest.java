package dev.bridle.core.integrations.relay;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.core.kernel.call.CallNetwork;
import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AttemptRatesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AttemptRates rates = new AttemptRates(nanos::get);

  private void from(String network, Runnable call) {
    CallNetwork.in(Context.ROOT, network).run(call);
  }

  private void wrong(String network, int times) {
    for (int i = 0; i < times; i++) {
      from(network, rates::wrong);
    }
  }

  @Test
  void whoIsWrongTooOftenIsRefusedAndNobodyElseIs() {
    wrong("0a000001", 50);

    assertThatThrownBy(() -> from("0a000001", rates::check)).hasMessageContaining("Too many");
    assertThatCode(() -> from("0a000002", rates::check)).doesNotThrowAnyException();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThatCode(() -> from("0a000001", rates::check)).doesNotThrowAnyException();
  }

  @Test
  void allTogetherAreBoundedToo() {
    for (int network = 0; network < 200; network++) {
      wrong("network " + network, 25);
    }

    assertThatThrownBy(() -> from("0a000001", rates::check)).hasMessageContaining("Too many");
  }

  @Test
  void aGatewayOfTheSameProcessIsBoundedByTheBoundOfAll() {
    for (int i = 0; i < 4_000; i++) {
      rates.wrong();
    }

    assertThatCode(rates::check).doesNotThrowAnyException();
  }
}
