package dev.bridle.core.operations.check.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class DifferencesTest {
  private final Differences differences = new Differences();

  @Test
  void rowsAreProvenWhenBothSidesHaveThemInAnyOrder() {
    for (long row = 0; row < 1000; row++) {
      differences.expect(hash(row), hash(row));
    }
    for (long row = 999; row >= 0; row--) {
      differences.see(hash(row), hash(row));
    }

    assertThat(differences.proveAll()).isTrue();
    assertThat(differences.doubtful()).isZero();
  }

  @Test
  void afterADoubtAboutAllNothingIsProven() {
    differences.expect(hash(1), hash(1));
    differences.see(hash(1), hash(1));

    differences.doubtAll();

    assertThat(differences.proves(hash(1))).isFalse();
    assertThat(differences.doubtful()).isEqualTo(1);
  }

  @Test
  void aRowOfOneSideIsInDoubtAndThoseOfOtherBucketsAreProven() {
    differences.expect(hash(1), hash(1));
    differences.expect(hash(2), hash(2));
    differences.see(hash(2), hash(2));

    assertThat(differences.proves(hash(1))).isFalse();
    assertThat(differences.proves(hash(2))).isTrue();
    assertThat(differences.proveAll()).isFalse();
  }

  @Test
  void aRowThatOneSideHasTwiceIsInDoubt() {
    differences.expect(hash(1), hash(1));
    differences.see(hash(1), hash(1));
    differences.see(hash(1), hash(1));

    assertThat(differences.proves(hash(1))).isFalse();
  }

  @Test
  void whatIsDoubtedTwiceStaysInDoubt() {
    differences.doubt(hash(1));
    differences.doubt(hash(1));

    assertThat(differences.proves(hash(1))).isFalse();
  }

  @Test
  void thePartInDoubtIsThatOfTheBucketsWhoseRowsDiffer() {
    Random random = new Random(7);
    Map<Long, Long> sums = new HashMap<>();
    for (int row = 0; row < 20_000; row++) {
      // Few buckets and few rows, so that sums come back to 0 in all ways.
      long bucket = (long) random.nextInt(500) << (Long.SIZE - 17);
      long number = random.nextInt(3);
      boolean expected = random.nextBoolean();
      sums.merge(bucket, expected ? number : -number, Long::sum);
      if (expected) {
        differences.expect(bucket, number);
      } else {
        differences.see(bucket, number);
      }
    }

    long differing = sums.values().stream().filter(sum -> sum != 0).count();
    assertThat(differences.doubtful()).isEqualTo(differing / (double) (1 << 17));
    assertThat(sums)
        .allSatisfy((bucket, sum) -> assertThat(differences.proves(bucket)).isEqualTo(sum == 0));
  }

  @Test
  void threadsThatAddBothSidesAtOnceProveAll() throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    CompletableFuture<Void> expecting =
        CompletableFuture.runAsync(() -> addAll(start, differences::expect));
    CompletableFuture<Void> seeing =
        CompletableFuture.runAsync(() -> addAll(start, differences::see));

    CompletableFuture.allOf(expecting, seeing).get(1, TimeUnit.MINUTES);

    assertThat(differences.proveAll()).isTrue();
  }

  private static void addAll(CyclicBarrier start, BiConsumer<Long, Long> side) {
    try {
      start.await(1, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    for (long row = 0; row < 50_000; row++) {
      side.accept(hash(row), hash(row));
    }
  }

  private static long hash(long row) {
    return RowHash.of(row).end();
  }
}
