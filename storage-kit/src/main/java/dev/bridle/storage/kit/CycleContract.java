package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * FoundationDB's ring: each node names the next one, and each transaction swaps two neighbours
 * somewhere in it. Any lost update, torn commit or stale read breaks the ring into several.
 */
public abstract class CycleContract extends StoreSuite {
  private static final int NODES = 40;
  private static final int THREADS = 12;
  private static final int SWAPS = 60;

  protected CycleContract(StoreHooks hooks) {
    super(hooks);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13})
  void theRingStaysWholeWhileManyThreadsSwapNodes(long seed) {
    store()
        .transact(
            tr -> {
              for (int node = 0; node < NODES; node++) {
                link(tr, node, (node + 1) % NODES);
              }
              return null;
            });
    AtomicInteger swapping = new AtomicInteger(THREADS);
    Workers.run(
        THREADS + 2,
        thread -> {
          if (thread < THREADS) {
            Random random = new Random(seed * 1000 + thread);
            for (int i = 0; i < SWAPS; i++) {
              int start = random.nextInt(NODES);
              store().transact(tr -> swapAfter(tr, start));
            }
            swapping.decrementAndGet();
          }
          do {
            assertThat(store().read(this::lengthOfRing).intValue()).isEqualTo(NODES);
          } while (swapping.get() > 0);
          return thread;
        });
  }

  private Object swapAfter(Transaction tr, int start) {
    int second = next(tr, start);
    int third = next(tr, second);
    int fourth = next(tr, third);
    link(tr, start, third);
    link(tr, third, second);
    link(tr, second, fourth);
    return tr;
  }

  private Integer lengthOfRing(ReadTransaction tr) {
    int length = 0;
    int node = 0;
    do {
      node = next(tr, node);
      length++;
    } while (node != 0 && length <= NODES);
    return length;
  }

  private int next(ReadTransaction tr, int node) {
    return (int) Tuple.fromBytes(tr.get(key(node)).orElseThrow()).getLong(0);
  }

  private void link(Transaction tr, int from, int to) {
    tr.set(key(from), Tuple.from(to).pack());
  }
}
