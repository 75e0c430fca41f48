package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePMap;

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
        kept.get(60, TimeUnit.SECONDS);
        assertThat(kept).isCompleted();
      }
    } finally {
      stop.set(true);
      ending.join();
    }
  }

  @Test
  void aWatchThatIsSetWhileItsKeyChangesFires() {
    Watches watches = Watches.on(Runnable::run, 1);
    Watches.Watch watch = watches.create(KEY, bytes("before"));
    SpanSet written = new SpanSet();
    written.add(Span.point(KEY));
    watches.arm(
        List.of(watch),
        () -> {
          watches.changed(new WrittenKeys(2, 0, written), version(2, "after"));
          return version(1, "before");
        });
    assertThat(watch.future()).isCompleted();
  }

  private static MemoryVersion version(long version, String value) {
    return new MemoryVersion(
        version, TreePMap.<byte[], byte[]>empty(Arrays::compareUnsigned).plus(KEY, bytes(value)));
  }
}
