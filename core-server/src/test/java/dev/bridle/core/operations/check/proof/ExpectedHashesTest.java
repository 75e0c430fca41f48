package dev.bridle.core.operations.check.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** A hash is proven once it is expected and seen, and only then. */
final class ExpectedHashesTest {
  private static final int MORE_THAN_FIT = 1_000_001;

  private final Random random = new Random(3);
  private final ExpectedHashes hashes = new ExpectedHashes();

  @Test
  void aHashIsProvenOnceItIsSeen() {
    hashes.expect(1);
    hashes.expect(2);
    hashes.see(2);
    hashes.see(3);

    assertThat(hashes.isExpected(1)).isTrue();
    assertThat(hashes.proves(1)).isFalse();
    assertThat(hashes.proves(2)).isTrue();
    assertThat(hashes.isExpected(3)).isFalse();
    assertThat(hashes.proves(3)).isFalse();
    assertThat(hashes.proveAll()).isFalse();
    hashes.see(1);
    assertThat(hashes.proveAll()).isTrue();
  }

  @Test
  void moreHashesThanFitAreNotAllProven() {
    long last = 0;
    for (int i = 0; i < MORE_THAN_FIT; i++) {
      last = random.nextLong();
      hashes.expect(last);
      hashes.see(last);
    }

    assertThat(hashes.proves(last)).isFalse();
    assertThat(hashes.proveAll()).isFalse();
  }
}
