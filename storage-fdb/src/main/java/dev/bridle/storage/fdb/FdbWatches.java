package dev.bridle.storage.fdb;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** The watches of a store that have not ended yet: closing the store ends them. */
final class FdbWatches {
  private final Map<Long, CompletableFuture<Void>> open = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private volatile boolean closed;

  /**
   * Returns a watch of the contract for one of the client's. Where the client loses it for a reason
   * that passes, it completes, as a watch may without any change: the watcher looks and watches
   * anew.
   */
  CompletableFuture<Void> of(CompletableFuture<Void> watch, Executor executor) {
    CompletableFuture<Void> own = new CompletableFuture<>();
    Long number = numbers.incrementAndGet();
    open.put(number, own);
    var unusedTold = watch.whenCompleteAsync((done, failure) -> finish(own, failure), executor);
    var unusedEnded =
        own.whenComplete(
            (done, failure) -> {
              open.remove(number);
              watch.cancel(true);
            });
    if (closed) {
      end(own);
    }
    return own;
  }

  private static void finish(CompletableFuture<Void> own, Throwable failure) {
    if (failure == null) {
      own.complete(null);
    } else {
      StoreException known = FdbErrors.toStore(failure);
      if (known.retriable()) {
        own.complete(null);
      } else {
        own.completeExceptionally(known);
      }
    }
  }

  void close() {
    closed = true;
    open.values().forEach(FdbWatches::end);
  }

  private static void end(CompletableFuture<Void> watch) {
    watch.completeExceptionally(new StoreException(Code.STORE_CLOSED, "The store is closed."));
  }
}
