package dev.bridle.storage.kit.fault;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A watch that fires too early or late. Cancelling it cancels the wrapped watch. */
final class FaultyWatch {
  private final CompletableFuture<Void> fired = new CompletableFuture<>();
  private final boolean early;

  FaultyWatch(CompletableFuture<Void> inner, boolean early, Duration delay) {
    this.early = early;
    Executor later =
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, Runnable::run);
    var unused =
        inner.whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                later.execute(() -> fired.complete(null));
              } else {
                fired.completeExceptionally(failure);
              }
            });
    var unusedEither = fired.whenComplete((nothing, failure) -> inner.cancel(false));
  }

  CompletableFuture<Void> fired() {
    return fired;
  }

  /** Called when the transaction has committed: a watch with an early fault fires now. */
  void armed() {
    if (early) {
      fired.complete(null);
    }
  }
}
