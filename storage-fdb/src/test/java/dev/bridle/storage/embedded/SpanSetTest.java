package dev.bridle.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpanSetTest {
  private static final int KEYS = 24;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void aSetOfSpansAnswersLikeASetOfKeys(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      SpanSet set = new SpanSet();
      TreeSet<Integer> model = new TreeSet<>();
      for (int step = 0; step < 8; step++) {
        Span span = anySpan(random);
        set.add(span);
        model.addAll(keysOf(span));
        WrittenKeys sorted = new WrittenKeys(1, 0, set);
        for (int i = 0; i < 20; i++) {
          Span read = anySpan(random);
          boolean expected = keysOf(read).stream().anyMatch(model::contains);
          assertThat(set.overlaps(read)).as("%s in %s", keysOf(read), model).isEqualTo(expected);
          assertThat(sorted.overlaps(read)).isEqualTo(expected);
        }
      }
      for (int key = 0; key < KEYS; key++) {
        assertThat(set.contains(key(key))).isEqualTo(model.contains(key));
      }
    }
  }

  /** A key, or a range of at least one key. */
  static Span anySpan(Random random) {
    int from = random.nextInt(KEYS);
    if (random.nextBoolean()) {
      return Span.point(key(from));
    }
    return new Span(key(from), key(from + 1 + random.nextInt(KEYS - from)));
  }

  static List<Integer> keysOf(Span span) {
    List<Integer> keys = new ArrayList<>();
    int from = span.begin()[0];
    int to = span.isPoint() ? from + 1 : span.end()[0];
    for (int key = from; key < to; key++) {
      keys.add(key);
    }
    return keys;
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) number};
  }
}
