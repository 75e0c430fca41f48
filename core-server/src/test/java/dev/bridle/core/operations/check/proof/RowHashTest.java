package dev.bridle.core.operations.check.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is not the same has another hash, also where somebody chooses it. */
final class RowHashTest {
  private static final int MANY = 100_000;

  private final Random random = new Random(5);

  @Test
  void textsThatDifferInASignOrInTheirLengthDiffer() {
    Set<Long> hashes = new HashSet<>();
    String text = "";
    for (int length = 0; length < 300; length++) {
      assertThat(hashes.add(RowHash.of(text).end())).isTrue();
      for (int at = 0; at < length; at++) {
        String other = text.substring(0, at) + '\u1234' + text.substring(at + 1);
        assertThat(hashes.add(RowHash.of(other).end())).isTrue();
      }
      text += (char) ('a' + random.nextInt(26));
    }
  }

  @Test
  void bytesThatDifferInOneOrInTheirLengthDiffer() {
    Set<Long> hashes = new HashSet<>();
    for (int length = 0; length < 300; length++) {
      byte[] bytes = new byte[length];
      assertThat(hashes.add(RowHash.of(1).add(bytes).end())).isTrue();
      for (int at = 0; at < length; at++) {
        bytes[at] = 1;
        assertThat(hashes.add(RowHash.of(1).add(bytes).end())).isTrue();
        bytes[at] = 0;
      }
    }
  }

  @Test
  void itemsThatAreSplitElsewhereDiffer() {
    assertThat(RowHash.of("ab").add("c").end()).isNotEqualTo(RowHash.of("a").add("bc").end());
    assertThat(RowHash.of("abcd").add("").end()).isNotEqualTo(RowHash.of("").add("abcd").end());
  }

  @Test
  void changesWhoseEffectsWouldCancelInAKnownWayDoNot() {
    for (int i = 0; i < MANY; i++) {
      char[] text = new char[8];
      for (int at = 0; at < text.length; at++) {
        text[at] = (char) random.nextInt();
      }
      long hash = RowHash.of(new String(text)).end();
      long upper = 1L << (Long.SIZE - 1);

      assertThat(RowHash.of(changed(text, -1L, 1)).end()).isNotEqualTo(hash);
      assertThat(RowHash.of(changed(text, -2L, 1)).end()).isNotEqualTo(hash);
      assertThat(RowHash.of(changed(text, upper, upper)).end()).isNotEqualTo(hash);
    }
  }

  private static String changed(char[] text, long first, long second) {
    char[] other = text.clone();
    for (int i = 0; i < 4; i++) {
      other[i] ^= (char) (first >>> (i * Character.SIZE));
      other[i + 4] ^= (char) (second >>> (i * Character.SIZE));
    }
    return new String(other);
  }
}
