package dev.bridle.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Commits that can be told apart afterwards: several threads count up, and each number is one
 * transaction of several keys, which must be there all or not at all.
 */
final class NumberedCommits {
  static final int THREADS = 3;

  private static final int LIMIT = 10_000;

  private final long seed;

  /**
   * @param seed decides how many keys each transaction has, and their values
   */
  NumberedCommits(long seed) {
    this.seed = seed;
  }

  /** Commits the numbers after {@code done} up to {@code upTo}, on all threads at a time. */
  void commit(EmbeddedStore store, int done, int upTo) {
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int which = thread;
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int number = done + 1; number <= upTo; number++) {
                  commitOne(store, which, number);
                }
              },
              run -> new Thread(run).start()));
    }
    threads.forEach(CompletableFuture::join);
  }

  private void commitOne(EmbeddedStore store, int thread, int number) {
    List<byte[]> values = values(thread, number);
    store.transact(
        tr -> {
          tr.set(last(thread), ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
          for (int i = 0; i < values.size(); i++) {
            tr.set(key(thread, number, i), values.get(i));
          }
          return null;
        });
  }

  /**
   * Checks that each thread's numbers are there whole from 1 on, at least up to {@code atLeast},
   * and nothing of a later one. Returns how many are there.
   */
  int check(EmbeddedStore store, int atLeast, int atMost) {
    int all = 0;
    for (int thread = 0; thread < THREADS; thread++) {
      int which = thread;
      int there =
          store
              .read(tr -> tr.get(last(which)))
              .map(value -> ByteBuffer.wrap(value).getInt())
              .orElse(0);
      assertThat(there).as("thread %s", thread).isBetween(atLeast, atMost);
      List<KeyValue> rows =
          store.read(
              tr ->
                  tr.getRange(
                      new KeyRange(key(which, 0, 0), key(which, Integer.MAX_VALUE, 0)), LIMIT));
      int row = 0;
      for (int number = 1; number <= there; number++) {
        List<byte[]> values = values(thread, number);
        for (int i = 0; i < values.size(); i++, row++) {
          assertThat(rows).as("thread %s, number %s", thread, number).hasSizeGreaterThan(row);
          assertThat(rows.get(row).key()).isEqualTo(key(thread, number, i));
          assertThat(rows.get(row).value()).isEqualTo(values.get(i));
        }
      }
      assertThat(rows).as("nothing half-written of thread %s", thread).hasSize(row);
      all += there;
    }
    return all;
  }

  private List<byte[]> values(int thread, int number) {
    Random random = new Random(seed * 31 + thread * 1_000_003L + number);
    List<byte[]> values = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      byte[] value = new byte[random.nextInt(random.nextInt(8) == 0 ? 9_000 : 200)];
      random.nextBytes(value);
      values.add(value);
    }
    return values;
  }

  private static byte[] last(int thread) {
    return ByteBuffer.allocate(5).put((byte) 1).putInt(thread).array();
  }

  private static byte[] key(int thread, int number, int i) {
    return ByteBuffer.allocate(13).put((byte) 2).putInt(thread).putInt(number).putInt(i).array();
  }
}
