package dev.bridle.storage.fdb;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** Tracks the open watches of a store, and fails them when the store closes. */
final class FdbWatches {
  private final Map<Long, FdbWatch> open = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private volatile boolean closed;

  /** Creates a watch of the contract from one of the client's. */
  FdbWatch of(CompletableFuture<Void> clients, Executor executor) {
    FdbWatch watch = new FdbWatch();
    Long number = numbers.incrementAndGet();
    open.put(number, watch);
    var unusedClient =
        clients.whenCompleteAsync((done, failure) -> watch.onClientWatchEnded(failure), executor);
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
