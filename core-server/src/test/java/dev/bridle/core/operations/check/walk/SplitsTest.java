package dev.bridle.core.operations.check.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitsTest {
  @Test
  void thePartsOfARangeAreTheWholeRangeInOrder() {
    Splits splits = new Splits();
    for (int key = 0; key < 200_000; key++) {
      splits.add(bytes(key)); // More than it keeps.
    }

    List<KeyRange> parts = splits.of(new KeyRange(bytes(1000), bytes(150_000)));

    assertThat(parts).hasSizeGreaterThan(10_000);
    byte[] end = bytes(1000);
    for (KeyRange part : parts) {
      assertThat(part.begin()).isEqualTo(end);
      assertThat(Arrays.compareUnsigned(part.begin(), part.end())).isNegative();
      end = part.end();
    }
    assertThat(end).isEqualTo(bytes(150_000));
  }

  @Test
  void aRangeBetweenTwoKeysIsOnePart() {
    Splits splits = new Splits();
    splits.add(bytes(1));
    splits.add(bytes(9));

    assertThat(splits.of(new KeyRange(bytes(1), bytes(9)))).hasSize(1);
    assertThat(splits.of(new KeyRange(bytes(2), bytes(3)))).hasSize(1);
  }

  private static byte[] bytes(int key) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(key).array();
  }
}
