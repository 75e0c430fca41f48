package dev.bridle.storage.embedded;

import dev.bridle.storage.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Records the first disk failure, after which a store rejects all calls. Later failures mostly
 * follow from it and are ignored. Thread-safe.
 */
final class FirstFailure {
  private final AtomicReference<Refusal> refusal = new AtomicReference<>();
  private final CompletableFuture<StoreException> future = new CompletableFuture<>();

  /** Records a failure and returns the first one. */
  Refusal record(Refusal next) {
    if (refusal.compareAndSet(null, next)) {
      // Not on this thread: it may be the committer, and a listener may close the store.
      future.completeAsync(next::toException);
    }
    return refusal.get();
  }

  /** Returns the failure, if there was one. */
  Optional<Refusal> refusal() {
    return Optional.ofNullable(refusal.get());
  }

  CompletableFuture<StoreException> future() {
    return future.copy();
  }
}
