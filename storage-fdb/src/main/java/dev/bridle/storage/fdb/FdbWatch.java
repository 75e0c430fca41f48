package dev.bridle.storage.fdb;

import dev.bridle.storage.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One watch. Where the client loses it after the commit for a reason that passes, it completes, as
 * a watch may without any change: the watcher looks and watches anew. Before the commit it fails
 * with its transaction.
 */
final class FdbWatch {
  private final CompletableFuture<Void> future = new CompletableFuture<>();
  private boolean armed;
  private Optional<StoreException> lost = Optional.empty();

  CompletableFuture<Void> future() {
    return future;
  }

  /** Takes note that the transaction has committed. */
  void arm() {
    synchronized (this) {
      armed = true;
    }
    lost().ifPresent(this::lose);
  }

  /** Takes what the client's own watch ended in, null being a change. */
  void told(Throwable failure) {
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
