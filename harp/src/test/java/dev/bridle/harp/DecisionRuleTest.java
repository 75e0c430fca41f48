package dev.bridle.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.Scope;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.rule.DecisionRule;
import dev.bridle.harp.rule.DecisionRule.Asked;
import dev.bridle.harp.rule.ReplayRecord;
import dev.bridle.proof.key.Base64Url;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An enforcer accepts a decision if all rules hold, and no other. */
final class DecisionRuleTest {
  private static final Instant NOW = Samples.NOW;
  private static final String KEY = "phone-1";

  private final Artifact artifact;
  private final Asked asked;
  private final RememberedDecisions accepted = new RememberedDecisions();
  private final DecisionRule rule =
      new DecisionRule(
          id -> Optional.of(id).filter(KEY::equals).map(known -> Samples.publicKey(1)),
          DecisionRule.SKEW);

  DecisionRuleTest() throws Exception {
    artifact = Samples.command("rm -r build");
    asked =
        new Asked(Decision.Subject.of(artifact), artifact.expiresAt(), Optional.of("session-1"));
  }

  private Decision signed(Decision.Subject subject, Instant expiresAt, String nonce)
      throws Exception {
    return Decision.sign(
        Decision.Content.once(subject, Answer.ALLOW, expiresAt, nonce), KEY, Samples.key(1));
  }

  private Decision valid(String nonce) throws Exception {
    return signed(Decision.Subject.of(artifact), NOW.plusSeconds(60), nonce);
  }

  private void assertRefused(HarpErrorCode code, Decision decision, Instant now) {
    assertThatThrownBy(() -> rule.accept(decision, asked, accepted, now))
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> assertThat(refused.code()).as(refused.getMessage()).isEqualTo(code));
  }

  @Test
  void aValidDecisionIsAcceptedOnce() throws Exception {
    Decision decision = valid("n1");
    assertThat(rule.accept(decision, asked, accepted, NOW)).isTrue();
    accepted.add(decision);

    assertThat(rule.accept(decision, asked, accepted, NOW)).as("the same again").isFalse();
    assertRefused(HarpErrorCode.REPLAY, valid("n2"), NOW);
  }

  @Test
  void aNonceCountsOnceForAKey() throws Exception {
    accepted.add(
        signed(new Decision.Subject("other", "0".repeat(64), "r"), NOW.plusSeconds(60), "n1"));

    assertRefused(HarpErrorCode.REPLAY, valid("n1"), NOW);
    assertThat(rule.accept(valid("n2"), asked, accepted, NOW)).isTrue();
  }

  @Test
  void whatIsAboutSomethingElseIsRefused() throws Exception {
    Decision.Subject own = Decision.Subject.of(artifact);
    Instant later = NOW.plusSeconds(60);

    assertRefused(
        HarpErrorCode.POLICY_DENY,
        signed(new Decision.Subject("other", own.artifactHash(), own.repoRef()), later, "n"),
        NOW);
    assertRefused(
        HarpErrorCode.HASH_MISMATCH,
        signed(new Decision.Subject(own.requestId(), "0".repeat(64), own.repoRef()), later, "n"),
        NOW);
    assertRefused(
        HarpErrorCode.POLICY_DENY,
        signed(new Decision.Subject(own.requestId(), own.artifactHash(), "other"), later, "n"),
        NOW);
  }

  @Test
  void onlyAKnownKeyDecides() throws Exception {
    Decision.Content content =
        Decision.Content.once(
            Decision.Subject.of(artifact), Answer.ALLOW, NOW.plusSeconds(60), "n");

    assertRefused(
        HarpErrorCode.SIGNATURE_INVALID, Decision.sign(content, "stolen", Samples.key(1)), NOW);
    assertRefused(
        HarpErrorCode.SIGNATURE_INVALID, Decision.sign(content, KEY, Samples.key(2)), NOW);
    Decision turned =
        Decision.of(Decision.sign(content, KEY, Samples.key(1)).json().put("decision", "deny"));
    assertRefused(HarpErrorCode.SIGNATURE_INVALID, turned, NOW);
  }

  @Test
  void theSpellingOfALaterDraftIsSignedAsItIs() throws Exception {
    Decision.Content content =
        Decision.Content.once(
            Decision.Subject.of(artifact), Answer.ALLOW, NOW.plusSeconds(60), "n");
    var json = content.signable(KEY, "approve");
    json.put("signature", Base64Url.encode(Samples.key(1).sign(HarpJson.canonical(json))));
    Decision decision = Decision.of(json);

    assertThat(decision.answer()).isEqualTo(Answer.ALLOW);
    assertThat(rule.accept(decision, asked, accepted, NOW)).isTrue();
  }

  @Test
  void timesAreKept() throws Exception {
    Decision decision = valid("n");
    Instant expiry = decision.expiresAt();

    assertThat(rule.accept(decision, asked, accepted, expiry.plus(DecisionRule.SKEW))).isTrue();
    assertRefused(HarpErrorCode.EXPIRED, decision, expiry.plus(DecisionRule.SKEW).plusSeconds(1));
    Decision longer = signed(Decision.Subject.of(artifact), NOW.plusSeconds(6000), "n");
    assertThat(
            rule.accept(longer, asked, accepted, artifact.expiresAt().minus(Duration.ofSeconds(1))))
        .isTrue();
    assertRefused(HarpErrorCode.EXPIRED, longer, artifact.expiresAt());
    assertThat(ReplayRecord.keptUntil(decision, NOW, DecisionRule.SKEW))
        .isEqualTo(NOW.plus(ReplayRecord.LEAST));
    assertThat(ReplayRecord.keptUntil(longer, NOW, DecisionRule.SKEW))
        .isEqualTo(longer.expiresAt().plus(DecisionRule.SKEW));
  }

  @Test
  void aDecisionForASessionNamesIt() throws Exception {
    for (Optional<String> session : List.of(Optional.<String>empty(), Optional.of("x"))) {
      Decision decision =
          Decision.sign(
              new Decision.Content(
                  Decision.Subject.of(artifact),
                  Answer.ALLOW,
                  Scope.SESSION,
                  Times.spell(NOW.plusSeconds(60)),
                  "n",
                  new Decision.Hints(
                      session, Optional.empty(), Optional.empty(), Optional.empty())),
              KEY,
              Samples.key(1));
      assertRefused(HarpErrorCode.SCOPE, decision, NOW);
    }
    Decision named =
        Decision.sign(
            new Decision.Content(
                Decision.Subject.of(artifact),
                Answer.ALLOW,
                Scope.SESSION,
                Times.spell(NOW.plusSeconds(60)),
                "n",
                new Decision.Hints(
                    Optional.of("session-1"),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty())),
            KEY,
            Samples.key(1));
    assertThat(rule.accept(named, asked, accepted, NOW)).isTrue();
  }
}
