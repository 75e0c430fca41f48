package dev.bridle.proof.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.proof.sample.SampleKeys;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A kept key may come to count for less, never for more. */
class PinnedKeysTest {
  private static final KeyValidity YEAR = KeyValidity.between(100, 200);

  private static KeySet set(KeyValidity validity) {
    return KeySet.of(List.of(SampleKeys.CURRENT.verificationKey(validity)));
  }

  static Stream<Arguments> narrower() {
    return Stream.of(
        Arguments.of(YEAR, YEAR),
        Arguments.of(YEAR, KeyValidity.between(100, 150)),
        Arguments.of(YEAR, YEAR.revoked(150, "superseded")),
        Arguments.of(YEAR, YEAR.compromised(150, 120)),
        Arguments.of(YEAR.compromised(150, 120), YEAR.compromised(150, 110)),
        // The time is moved back by a later declaration.
        Arguments.of(YEAR.compromised(150, 120), YEAR.compromised(180, 110)),
        Arguments.of(YEAR.revoked(150, "superseded"), YEAR.compromised(180, 120)),
        Arguments.of(YEAR.revoked(150, "superseded"), YEAR.revoked(180, "compromised")));
  }

  @ParameterizedTest
  @MethodSource("narrower")
  void aKeyThatCountsForLessMayReplaceTheKeptOne(KeyValidity kept, KeyValidity now) {
    assertThat(PinnedKeys.compare(set(kept), set(now), Set.of()).changes()).isEmpty();
  }

  static Stream<Arguments> wider() {
    return Stream.of(
        Arguments.of(YEAR, KeyValidity.between(100, 201)),
        Arguments.of(YEAR, KeyValidity.between(99, 200)),
        Arguments.of(YEAR, KeyValidity.UNBOUNDED),
        Arguments.of(YEAR.revoked(150, "superseded"), YEAR),
        Arguments.of(YEAR.revoked(150, "superseded"), YEAR.revoked(160, "superseded")),
        Arguments.of(YEAR.revoked(150, "superseded"), YEAR.compromised(150, 160)),
        Arguments.of(YEAR.revoked(150, "compromised"), YEAR.compromised(150, 120)),
        Arguments.of(YEAR.compromised(150, 120), YEAR.compromised(150, 130)),
        Arguments.of(YEAR.compromised(150, 120), YEAR.revoked(150, "superseded")));
  }

  @ParameterizedTest
  @MethodSource("wider")
  void aKeyThatCountsForMoreIsAChange(KeyValidity kept, KeyValidity now) {
    assertThat(PinnedKeys.compare(set(kept), set(now), Set.of()).changes())
        .singleElement()
        .asString()
        .contains(SampleKeys.CURRENT.id(), "counts for more");
  }

  @Test
  void aKeyThatIsGoneIsAChangeAndANewOneIsUnknownUntilItIsAccepted() {
    KeySet kept = set(YEAR);
    KeySet other = KeySet.of(List.of(SampleKeys.WITNESS.verificationKey(YEAR)));

    assertThat(PinnedKeys.compare(kept, other, Set.of()).changes())
        .containsExactly("The key " + SampleKeys.CURRENT.id() + " is no longer published.");
    assertThat(PinnedKeys.compare(kept, other, Set.of()).unknown())
        .extracting(VerificationKey::id)
        .containsExactly(SampleKeys.WITNESS.id());
    assertThat(PinnedKeys.compare(kept, other, Set.of(SampleKeys.WITNESS.id())).unknown())
        .isEmpty();
  }
}
