package dev.bridle.core.api.event;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StreamSlotsTest {
  private static final int MOST = 150;

  private final AtomicLong nanos = new AtomicLong();
  private final StreamSlots slots = new StreamSlots(1_000, MOST, nanos::get);

  private void openAndClose(String tenant, int times) {
    for (int i = 0; i < times; i++) {
      slots.acquire(tenant);
      slots.release(tenant);
    }
  }

  @Test
  void aTenantOpensAsManyAtOnceAsItMayHaveAndThenSoManyASecond() {
    openAndClose("acme", MOST);

    assertThatThrownBy(() -> slots.acquire("acme")).hasMessageContaining("too often");
    assertThatCode(() -> slots.acquire("other")).doesNotThrowAnyException();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    openAndClose("acme", 100);
    assertThatThrownBy(() -> slots.acquire("acme")).hasMessageContaining("too often");
  }

  @Test
  void oneThatFindsNoSlotIsNotCountedAsOpened() {
    for (int i = 0; i < MOST; i++) {
      slots.acquire("acme");
    }
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    for (int i = 0; i < 1_000; i++) {
      assertThatThrownBy(() -> slots.acquire("acme")).hasMessageContaining("as it may");
    }

    slots.release("acme");
    assertThatCode(() -> slots.acquire("acme")).doesNotThrowAnyException();
  }
}
