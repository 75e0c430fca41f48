package dev.bridle.gateway.kit.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
  private final BodyBudget budget = new BodyBudget(100, 60);

  @Test
  void oneHolderLeavesRoomForAnother() {
    BodyBudget.Reservation first = budget.of("a");
    BodyBudget.Reservation second = budget.of("a");
    assertThat(first.grow(50)).isTrue();
    assertThat(second.grow(11)).as("above the holder's part").isFalse();
    assertThat(second.grow(10)).isTrue();
    assertThat(budget.of("b").grow(41)).as("above all that there is").isFalse();
    assertThat(budget.of("b").grow(40)).isTrue();
    assertThat(budget.used()).isEqualTo(100);
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() {
    BodyBudget.Reservation reservation = budget.of("a");
    assertThat(reservation.grow(60)).isTrue();
    reservation.clear();
    assertThat(reservation.grow(60)).isTrue();
    reservation.close();
    assertThat(budget.used()).isZero();
    assertThat(reservation.grow(1)).as("once it is closed").isFalse();
    assertThat(budget.of("a").grow(60)).isTrue();
  }

  @Test
  void nothingIsLostOrDoubledBetweenThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> taken = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        String holder = "holder " + thread % 2;
        taken.add(threads.submit(() -> takeAndGiveBack(holder)));
      }
      int all = 0;
      for (Future<Integer> count : taken) {
        all += count.get();
      }
      assertThat(all).isPositive();
    } finally {
      threads.shutdownNow();
    }
    assertThat(budget.used()).isZero();
    assertThat(budget.of("holder 0").grow(60)).isTrue();
  }

  private int takeAndGiveBack(String holder) {
    int taken = 0;
    for (int i = 0; i < 20_000; i++) {
      BodyBudget.Reservation reservation = budget.of(holder);
      taken += reservation.grow(30) ? 1 : 0;
      taken += reservation.grow(30) ? 1 : 0;
      assertThat(budget.used()).isLessThanOrEqualTo(4 * 60L + 100);
      reservation.close();
    }
    return taken;
  }
}
