package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class WatchesTest {
  private static final int ENOUGH = 2_000;
  private static final byte[] KEY = bytes("key");

  @Test
  void aWatchThatIsSetWhileTheKeysLastOneEndsStillFires() throws Exception {
    AtomicReference<Optional<CompletableFuture<Void>>> toEnd =
        new AtomicReference<>(Optional.empty());
    AtomicBoolean stop = new AtomicBoolean();
    Thread ending =
        new Thread(
            () -> {
              while (!stop.get()) {
                toEnd.getAndSet(Optional.empty()).ifPresent(watch -> watch.cancel(false));
              }
            });
    ending.start();
    try (InMemoryStore store = InMemoryStore.open()) {
      for (int i = 0; i < ENOUGH; i++) {
        CompletableFuture<Void> ended = store.transact(tr -> tr.watch(KEY));
        toEnd.set(Optional.of(ended));
        CompletableFuture<Void> kept = store.transact(tr -> tr.watch(KEY));
        while (!ended.isDone()) {
          Thread.onSpinWait();
        }
        byte[] changed = bytes("value " + i);
        store.transact(
            tr -> {
              tr.set(KEY, changed);
              return true;
            });
        kept.get(10, TimeUnit.SECONDS);
        assertThat(kept).isCompleted();
      }
    } finally {
      stop.set(true);
      ending.join();
    }
  }
}
