package dev.bridle.core.operations.check.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkersTest {
  private static final Callable<Integer> FAILING =
      () -> {
        throw new IllegalArgumentException("odd");
      };

  @Test
  void withoutThreadsTheCallerDoesTheWorkAsItIsSubmitted() {
    try (Workers workers = new Workers(0)) {
      Future<Thread> work = workers.submit(Thread::currentThread);
      assertThat(work).isDone();
      assertThat(Workers.join(work)).isSameAs(Thread.currentThread());
    }
  }

  @Test
  void withThreadsItIsTheirs() {
    try (Workers workers = new Workers(1)) {
      assertThat(Workers.join(workers.submit(Thread::currentThread)).getName())
          .isEqualTo("storage-check");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void whatTheWorkThrowsIsThrownToWhoTakesItsResult(int threads) {
    try (Workers workers = new Workers(threads)) {
      Future<Integer> work = workers.submit(FAILING);
      assertThatThrownBy(() -> Workers.join(work))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("odd");
    }
  }
}
