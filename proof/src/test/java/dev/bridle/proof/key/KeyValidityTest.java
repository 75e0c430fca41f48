package dev.bridle.proof.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.proof.key.KeyValidity.Revocation;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is known of a key from two sides. */
class KeyValidityTest {
  private static Revocation since(long second) {
    return new Revocation(100, Revocation.COMPROMISED, OptionalLong.of(second));
  }

  private static Revocation always(String reason) {
    return new Revocation(100, reason, OptionalLong.empty());
  }

  private static Revocation superseded(long second) {
    return new Revocation(second, Revocation.SUPERSEDED, OptionalLong.empty());
  }

  static Stream<Arguments> pairs() {
    return Stream.of(
        Arguments.of(since(50), since(40), since(40)),
        Arguments.of(since(50), always("compromised"), always("compromised")),
        Arguments.of(since(50), always("unspecified"), always("unspecified")),
        Arguments.of(superseded(60), superseded(50), superseded(50)),
        Arguments.of(superseded(100), since(50), since(50)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theOneThatRefusesMoreHoldsWhicheverIsKnownFirst(
      Revocation one, Revocation other, Revocation both) {
    assertThat(one.and(other)).isEqualTo(both);
    assertThat(other.and(one)).isEqualTo(both);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aKeyCountsForNoSecondForWhichEitherRefusesIt(
      Revocation one, Revocation other, Revocation both) {
    KeyValidity narrowed = KeyValidity.UNBOUNDED.narrowed(one).narrowed(other);

    for (long second = 0; second < 120; second++) {
      assertThat(narrowed.faultAt(second).isPresent())
          .as("second " + second)
          .isEqualTo(one.refuses(second) || other.refuses(second));
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void whatAThiefMayHaveDatedBackStaysInDoubt(Revocation one, Revocation other, Revocation both) {
    KeyValidity narrowed = KeyValidity.UNBOUNDED.narrowed(one).narrowed(other);
    boolean isInDoubt = Stream.of(one, other).anyMatch(it -> it.compromisedSince().isPresent());

    for (long second = 0; second < 120; second++) {
      if (narrowed.faultAt(second).isEmpty()) {
        assertThat(narrowed.doubtAt(second).isPresent()).isEqualTo(isInDoubt);
      }
    }
  }

  @Test
  void aSignatureCountsWhereItDoesForEachOfTwoValidities() {
    KeyValidity one = KeyValidity.between(10, 90).narrowed(superseded(80));
    KeyValidity other = KeyValidity.between(20, 95).narrowed(superseded(70));

    for (KeyValidity both : List.of(one.and(other), other.and(one))) {
      for (long second = 0; second < 100; second++) {
        assertThat(both.faultAt(second).isPresent())
            .as("second " + second)
            .isEqualTo(one.faultAt(second).isPresent() || other.faultAt(second).isPresent());
      }
    }
    assertThat(one.and(KeyValidity.UNBOUNDED)).isEqualTo(one);
    assertThat(KeyValidity.UNBOUNDED.and(one)).isEqualTo(one);
  }
}
