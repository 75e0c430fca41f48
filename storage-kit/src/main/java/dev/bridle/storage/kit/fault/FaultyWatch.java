package dev.bridle.storage.kit.fault;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A watch that is told too early, or late. Cancelling it cancels the one beneath. */
final class FaultyWatch {
  private final CompletableFuture<Void> told = new CompletableFuture<>();
  private final boolean early;

  FaultyWatch(CompletableFuture<Void> inner, boolean early, Duration delay) {
    this.early = early;
    Executor later =
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, Runnable::run);
    var unused =
        inner.whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                later.execute(() -> told.complete(null));
              } else {
                told.completeExceptionally(failure);
              }
            });
    var unusedEither = told.whenComplete((nothing, failure) -> inner.cancel(false));
  }

  CompletableFuture<Void> told() {
    return told;
  }

  /** The transaction has committed: a watch that is told early is told now. */
  void armed() {
    if (early) {
      told.complete(null);
    }
  }
}
