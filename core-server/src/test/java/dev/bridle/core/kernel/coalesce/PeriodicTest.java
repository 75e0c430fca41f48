package dev.bridle.core.kernel.coalesce;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PeriodicTest {
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger runs = new AtomicInteger();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void workThatThrowsIsDoneAgain() {
    isRepeated(
        () -> {
          throw new IllegalStateException("as planned");
        });
  }

  @Test
  void workThatEndsByAnErrorIsDoneAgain() {
    isRepeated(
        () -> {
          throw new StackOverflowError();
        });
  }

  private void isRepeated(Runnable failing) {
    Periodic.every(
        timer,
        Duration.ofMillis(1),
        "A test's work",
        () -> {
          runs.incrementAndGet();
          failing.run();
        });
    await().until(() -> runs.get() >= 3);
  }
}
