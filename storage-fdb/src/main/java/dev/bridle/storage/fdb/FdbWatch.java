package dev.bridle.storage.fdb;

import dev.bridle.storage.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A watch. If the client loses it after the commit for a transient reason, it completes, as a watch
 * may without any change, and the caller reads and watches again. Before the commit it fails with
 * its transaction.
 */
final class FdbWatch {
  private final CompletableFuture<Void> future = new CompletableFuture<>();
  private boolean armed;
  private Optional<StoreException> lost = Optional.empty();

  CompletableFuture<Void> future() {
    return future;
  }

  /** Records that the transaction has committed. */
  void arm() {
    synchronized (this) {
      armed = true;
    }
    lost().ifPresent(this::lose);
  }

  /** Handles the end of the client's watch; null: the key changed. */
  void onClientWatchEnded(Throwable failure) {
    if (failure == null) {
      future.complete(null);
      return;
    }
    StoreException known = FdbErrors.toStore(failure);
    boolean afterCommit;
    synchronized (this) {
      lost = Optional.of(known);
      afterCommit = armed;
    }
    if (afterCommit) {
      lose(known);
    }
  }

  void fail(StoreException reason) {
    future.completeExceptionally(reason);
  }

  private synchronized Optional<StoreException> lost() {
    return lost;
  }

  private void lose(StoreException reason) {
    if (reason.retriable()) {
      future.complete(null);
    } else {
      future.completeExceptionally(reason);
    }
  }
}
