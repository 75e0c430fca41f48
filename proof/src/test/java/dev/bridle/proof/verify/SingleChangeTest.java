package dev.bridle.proof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.sample.SampleKeys;
import dev.bridle.proof.sample.SampleSession;
import dev.bridle.proof.sample.TreeChanges;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever single member or byte of a receipt is changed, a check names it. */
final class SingleChangeTest {
  private final ReceiptVerifier verifier = new ReceiptVerifier(Trust.of(SampleKeys.set()));

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void anyChangedMemberIsNoticed(long seed) {
    Random random = new Random(seed);
    SampleSession session = SampleSession.rich("session_1", random);
    List<byte[]> unused = session.issue(3);
    History history = History.of(session.head());
    byte[] receipt = session.issue();
    assertThat(verifier.verify(receipt, history).isComplete()).isTrue();

    Map<Check, Integer> found = new TreeMap<>();
    for (TreeChanges.Change change : TreeChanges.all(StrictJson.parse(receipt), random)) {
      JsonNode changed = change.apply();
      Verification verification = verifier.verify(CanonicalJson.bytes(changed), history);

      // A signature without a time is judged at the time that is signed: nothing is lost.
      assertThat(verification.isComplete())
          .as(change + ": " + verification.summary())
          .isEqualTo(change.toString().endsWith(" removed signed_at"));
      verification.failure().ifPresent(one -> found.merge(one.check(), 1, Integer::sum));
    }
    assertThat(found.keySet())
        .contains(Check.SCHEMA, Check.HASH, Check.SIGNATURE, Check.KEY_VALIDITY);
  }

  /** Changed bytes that leave the same values, such as a space, are not a change. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {4, 5})
  void anyChangedByteIsNoticed(long seed) {
    Random random = new Random(seed);
    SampleSession session = SampleSession.plain("session_1", random);
    byte[] receipt = session.issue();
    History history = History.of(SampleSession.plain("session_1", random).head());
    for (int i = 0; i < receipt.length; i++) {
      byte[] changed = receipt.clone();
      changed[i] ^= (byte) (1 << random.nextInt(8));
      Verification verification = verifier.verify(changed, history);

      assertThat(verification.isComplete())
          .as("byte " + i + ": " + verification.summary())
          .isEqualTo(isSame(receipt, changed));
    }
  }

  private static boolean isSame(byte[] receipt, byte[] changed) {
    try {
      return StrictJson.parse(receipt).equals(StrictJson.parse(changed));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
