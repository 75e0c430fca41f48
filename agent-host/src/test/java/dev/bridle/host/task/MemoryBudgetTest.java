package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class MemoryBudgetTest {
  private final MemoryBudget budget = new MemoryBudget(100);

  @Test
  void asMuchAsThereIsIsTakenAndNoByteMore() {
    assertThat(budget.total()).isEqualTo(100);
    assertThat(budget.tryTake(60)).isTrue();
    assertThat(budget.tryTake(41)).isFalse();
    assertThat(budget.tryTake(40)).isTrue();
    assertThat(budget.tryTake(1)).isFalse();
  }

  @Test
  void whatIsRefusedTakesNothing() {
    assertThat(budget.tryTake(101)).isFalse();
    assertThat(budget.tryTake(Long.MAX_VALUE)).isFalse();
    assertThat(budget.tryTake(100)).isTrue();
  }

  @Test
  void nothingIsGrantedThoughNothingIsLeft() {
    assertThat(budget.tryTake(100)).isTrue();
    assertThat(budget.tryTake(0)).isTrue();
    budget.giveBack(0);
    assertThat(budget.tryTake(1)).isFalse();
  }

  @Test
  void whatIsGivenBackIsFreeAgain() {
    assertThat(budget.tryTake(70)).isTrue();
    assertThat(budget.tryTake(30)).isTrue();
    budget.giveBack(30);
    assertThat(budget.tryTake(31)).isFalse();
    assertThat(budget.tryTake(30)).isTrue();
    budget.giveBack(70);
    budget.giveBack(30);
    assertThat(budget.tryTake(100)).isTrue();
  }

  @Test
  void anUnlimitedBudgetGrantsWhateverIsAskedFor() {
    MemoryBudget unlimited = MemoryBudget.unlimited();
    for (int i = 0; i < 1000; i++) {
      assertThat(unlimited.tryTake(1L << 50)).isTrue();
    }
  }

  @Test
  void manyThreadsNeverHaveMoreThanThereIsAndLeaveItWhole() throws Exception {
    int threads = 8;
    AtomicLong had = new AtomicLong();
    AtomicLong most = new AtomicLong();
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int bytes = 20 + i;
        ends.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int round = 0; round < 10_000; round++) {
                    if (budget.tryTake(bytes)) {
                      // Counted after it is taken and before it is given back: never too high.
                      most.accumulateAndGet(had.addAndGet(bytes), Math::max);
                      Thread.onSpinWait();
                      had.addAndGet(-bytes);
                      budget.giveBack(bytes);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }

    assertThat(most.get()).isBetween(20L, 100L);
    assertThat(budget.tryTake(100)).isTrue();
  }
}
