package dev.bridle.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.StoreLimits;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConflictWindowTest {
  private static final long AGE = StoreLimits.MAX_TRANSACTION_AGE.toNanos();

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void everyAnswerEqualsThatOfAListOfAllWrites(long seed) {
    Random random = new Random(seed);
    ConflictWindow window = new ConflictWindow(1_000_000, 0);
    TreeMap<Long, Set<Integer>> model = new TreeMap<>();
    for (long version = 1; version <= 200; version++) {
      SpanSet written = new SpanSet();
      Set<Integer> keys = new HashSet<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        Span span = SpanSetTest.anySpan(random);
        written.add(span);
        keys.addAll(SpanSetTest.keysOf(span));
      }
      window.add(new WrittenKeys(version, version, written));
      model.put(version, keys);

      long readVersion = Math.max(0, version - random.nextInt(6));
      List<Span> reads = Stream.generate(() -> SpanSetTest.anySpan(random)).limit(2).toList();
      boolean expected =
          model.tailMap(readVersion, false).values().stream()
              .anyMatch(
                  later ->
                      reads.stream()
                          .flatMap(read -> SpanSetTest.keysOf(read).stream())
                          .anyMatch(later::contains));
      assertThat(window.conflicts(readVersion, reads)).isEqualTo(expected);
    }
  }

  @Test
  void whatHappenedBeforeTheStoreWasOpenedIsUnknown() {
    ConflictWindow window = new ConflictWindow(1_000, 7);
    assertThat(window.isTooOld(6)).isTrue();
    assertThat(window.isTooOld(7)).isFalse();
  }

  @Test
  void tooManyBytesMakeTheOldestVersionsTooOld() {
    ConflictWindow window = new ConflictWindow(1_000, 0);
    for (long version = 1; version <= 3; version++) {
      window.add(batch(version, 0, 400));
    }
    assertThat(window.isTooOld(0)).isTrue();
    assertThat(window.isTooOld(1)).isFalse();
  }

  @Test
  void aBatchBeyondAllBytesMakesEverythingBeforeItTooOld() {
    ConflictWindow window = new ConflictWindow(1_000, 0);
    window.add(batch(1, 0, 5_000));
    assertThat(window.isTooOld(0)).isTrue();
    assertThat(window.isTooOld(1)).isFalse();
  }

  @Test
  void versionsOlderThanTheLimitAreForgotten() {
    ConflictWindow window = new ConflictWindow(1_000_000, 0);
    window.add(batch(1, 0, 10));
    window.add(batch(2, 100, 10));
    window.dropOlderThan(AGE);
    assertThat(window.isTooOld(0)).isFalse();
    window.dropOlderThan(AGE + 1);
    assertThat(window.isTooOld(0)).isTrue();
    assertThat(window.isTooOld(1)).isFalse();
  }

  private static WrittenKeys batch(long version, long nanoTime, int bytes) {
    SpanSet written = new SpanSet();
    written.add(Span.point(new byte[bytes]));
    return new WrittenKeys(version, nanoTime, written);
  }
}
