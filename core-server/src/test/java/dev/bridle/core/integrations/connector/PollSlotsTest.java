package dev.bridle.core.integrations.connector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PollSlotsTest {
  private final PollSlots slots = new PollSlots(5, 3);

  @Test
  void aTenantTakesNoMoreThanItsShare() {
    assertThat(taken("one", 10)).isEqualTo(3);
    assertThat(taken("two", 10)).as("what is left of all").isEqualTo(2);
    assertThat(taken("three", 1)).isZero();
  }

  @Test
  void whatIsGivenBackIsTakenAgain() {
    taken("one", 3);
    slots.release("one");

    assertThat(taken("one", 10)).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      slots.release("one");
    }
    assertThat(taken("one", 10)).isEqualTo(3);
  }

  private int taken(String tenant, int most) {
    int taken = 0;
    for (int i = 0; i < most; i++) {
      taken += slots.tryAcquire(tenant) ? 1 : 0;
    }
    return taken;
  }
}
