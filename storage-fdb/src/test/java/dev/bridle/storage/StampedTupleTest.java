package dev.bridle.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StampedTupleTest {
  private static final byte[] PREFIX = {7, 7};
  private static final byte[] STAMP = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

  @Test
  void theStampAtTheOffsetMakesTheTupleWithThatStamp() {
    Tuple before = Tuple.from("log", 5L, new byte[] {0, 1});
    byte[] packed = StampedTuple.pack(before.add(Versionstamp.incomplete(3)).add("chunk"), PREFIX);

    int length = packed.length - Integer.BYTES;
    int offset = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).getInt(length);
    byte[] key = Arrays.copyOf(packed, length);
    System.arraycopy(STAMP, 0, key, offset, STAMP.length);

    assertThat(key)
        .isEqualTo(before.add(Versionstamp.complete(STAMP, 3)).add("chunk").pack(PREFIX));
  }

  @Test
  void aTupleWithoutOrWithTwoIncompleteStampsIsRefused() {
    Tuple none = Tuple.from("a", Versionstamp.complete(STAMP));
    Tuple two = Tuple.from(Versionstamp.incomplete(), Versionstamp.incomplete());
    assertThatThrownBy(() -> StampedTuple.pack(none, PREFIX))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("exactly one");
    assertThatThrownBy(() -> StampedTuple.pack(two, PREFIX))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("exactly one");
  }
}
