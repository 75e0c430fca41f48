package dev.bridle.core.operations.check.proof;

import static org.assertj.core.api.Assertions.assertThat;

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

  private static long hash(long row) {
    return RowHash.of(row).end();
  }
}
