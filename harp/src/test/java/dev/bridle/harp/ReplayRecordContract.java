package dev.bridle.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.rule.ReplayRecord;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What each record of used decisions does, wherever it keeps them. */
abstract class ReplayRecordContract {
  static final Instant NOW = Samples.NOW;
  private static final String HASH = "0".repeat(64);

  /** A use of the record, which sees what earlier ones have added. */
  interface Use {
    void with(ReplayRecord used) throws Exception;
  }

  abstract void use(Use use) throws Exception;

  abstract void add(Decision decision, Instant now) throws Exception;

  /** Returns a decision of the key {@code phone-1} that counts for a minute. */
  static Decision decision(String request, String nonce) throws HarpException {
    return decision(request, nonce, "phone-1", NOW.plusSeconds(60));
  }

  static Decision decision(String request, String nonce, String key, Instant expiresAt)
      throws HarpException {
    return Decision.sign(
        Decision.Content.once(
            new Decision.Subject(request, HASH, "repo:acme/widgets"),
            Answer.ALLOW,
            expiresAt,
            nonce),
        key,
        Samples.key(1));
  }

  final void assertNew(Decision decision) throws Exception {
    use(used -> assertThat(used.repeats(decision)).as("%s was used", decision).isFalse());
  }

  final void assertReplay(Decision decision) throws Exception {
    use(
        used ->
            assertThatThrownBy(() -> used.repeats(decision))
                .isInstanceOfSatisfying(
                    HarpException.class,
                    refused -> assertThat(refused.code()).isEqualTo(HarpErrorCode.REPLAY)));
  }

  @Test
  final void whatWasAddedRepeats() throws Exception {
    Decision decision = decision("r1", "n1");
    assertNew(decision);

    add(decision, NOW);

    use(
        used -> {
          assertThat(used.repeats(decision)).isTrue();
          assertThat(used.ofRequest("r1", HASH)).contains(decision.hash());
          assertThat(used.ofNonce("n1", "phone-1")).contains(decision.hash());
        });
  }

  @Test
  final void anotherDecisionOfTheRequestOrWithTheNonceIsAReplay() throws Exception {
    add(decision("r1", "n1"), NOW);

    assertReplay(decision("r1", "n2"));
    assertReplay(decision("r2", "n1"));
    assertReplay(decision("r1", "n1", "phone-1", NOW.plusSeconds(61)));
  }

  @Test
  final void whatHasNothingInCommonIsNew() throws Exception {
    add(decision("r1", "n1"), NOW);

    assertNew(decision("r2", "n2"));
    assertNew(decision("r2", "n1", "phone-2", NOW.plusSeconds(60)));
    use(
        used -> {
          assertThat(used.ofRequest("r1", "1".repeat(64))).isEmpty();
          assertThat(used.ofNonce("n1p", "hone-1")).isEmpty();
          assertThat(used.ofNonce("phone-1", "n1")).isEmpty();
        });
  }

  @Test
  final void manyAreRemembered() throws Exception {
    for (int i = 0; i < 20; i++) {
      add(decision("r" + i, "n" + i), NOW);
    }

    for (int i = 0; i < 20; i++) {
      Decision decision = decision("r" + i, "n" + i);
      use(used -> assertThat(used.repeats(decision)).isTrue());
    }
    assertNew(decision("r20", "n20"));
  }
}
