package dev.bridle.core.operations.check.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What rows say of other rows is proven where those have been seen, and only there. */
final class ClaimsTest {
  private static final int MORE_THAN_FIT = 1_000_001;

  private final Random random = new Random(3);
  private final Claims claims = new Claims();

  @Test
  void aClaimIsProvenOnceItIsSeen() {
    claims.expect(1);
    claims.expect(2);
    claims.see(2);
    claims.see(3);

    assertThat(claims.isExpected(1)).isTrue();
    assertThat(claims.proves(1)).isFalse();
    assertThat(claims.proves(2)).isTrue();
    assertThat(claims.isExpected(3)).isFalse();
    assertThat(claims.proves(3)).isFalse();
    assertThat(claims.proveAll()).isFalse();
    claims.see(1);
    assertThat(claims.proveAll()).isTrue();
  }

  @Test
  void whereMoreIsClaimedThanFitsNotAllIsProven() {
    long last = 0;
    for (int i = 0; i < MORE_THAN_FIT; i++) {
      last = random.nextLong();
      claims.expect(last);
      claims.see(last);
    }

    assertThat(claims.proves(last)).isFalse();
    assertThat(claims.proveAll()).isFalse();
  }
}
