package dev.bridle.storage.embedded;

import dev.bridle.storage.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The failure of the disk after which a store takes nothing more. The first one stands: what fails
 * later mostly follows from it.
 */
final class FirstFailure {
  private final AtomicReference<Refusal> refusal = new AtomicReference<>();
  private final CompletableFuture<StoreException> told = new CompletableFuture<>();

  /** Notes a failure and returns the one that stands. */
  Refusal note(Refusal next) {
    if (refusal.compareAndSet(null, next)) {
      // Not on this thread: it may be the committer, and a listener may close the store.
      told.completeAsync(next::toException);
    }
    return refusal.get();
  }

  /** Returns the failure, if there was one. */
  Optional<Refusal> refusal() {
    return Optional.ofNullable(refusal.get());
  }

  CompletableFuture<StoreException> told() {
    return told.copy();
  }
}
