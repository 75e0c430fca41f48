package dev.bridle.core.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BufferedRandomTest {
  private final BufferedRandom random = new BufferedRandom();

  @Test
  void noBytesAreHandedOutTwiceWhateverTheirNumber() {
    List<Long> all = new ArrayList<>();
    for (int round = 0; round < 100; round++) {
      for (int length : List.of(8, 16, 1016, 1024, 1032, 4096)) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          all.add(buffer.getLong());
        }
      }
    }

    assertThat(new HashSet<>(all)).hasSameSizeAs(all).doesNotContain(0L);
  }

  @Test
  void threadsShareNoBytes() {
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    int count = 100_000;

    IntStream.range(0, count).parallel().forEach(n -> seen.add(random.nextLong()));

    assertThat(seen).hasSize(count);
  }

  @Test
  void allBitsOccur() {
    long ones = 0;
    long zeros = 0;
    for (int i = 0; i < 1_000; i++) {
      long next = random.nextLong();
      ones |= next;
      zeros |= ~next;
    }

    assertThat(ones).isEqualTo(-1L);
    assertThat(zeros).isEqualTo(-1L);
  }
}
