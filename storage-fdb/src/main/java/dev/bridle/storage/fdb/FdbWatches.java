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
  private final Map<Long, FdbWatch> open = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private volatile boolean closed;

  /** Returns a watch of the contract for one of the client's. */
  FdbWatch of(CompletableFuture<Void> clients, Executor executor) {
    FdbWatch watch = new FdbWatch();
    Long number = numbers.incrementAndGet();
    open.put(number, watch);
    var unusedTold = clients.whenCompleteAsync((done, failure) -> watch.told(failure), executor);
    var unusedEnded =
        watch
            .future()
            .whenComplete(
                (done, failure) -> {
                  open.remove(number);
                  clients.cancel(true);
                });
    if (closed) {
      watch.fail(closedStore());
    }
    return watch;
  }

  void close() {
    closed = true;
    open.values().forEach(watch -> watch.fail(closedStore()));
  }

  private static StoreException closedStore() {
    return new StoreException(Code.STORE_CLOSED, "The store is closed.");
  }
}
