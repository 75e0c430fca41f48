package dev.bridle.proof.verify;

import static dev.bridle.proof.key.KeyValidity.UNBOUNDED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.sample.Draft;
import dev.bridle.proof.sample.SampleKeys;
import dev.bridle.proof.sample.SampleSession;
import dev.bridle.proof.verify.CheckResult.Outcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What each way to break a receipt leads to is in {@code ReceiptFixturesTest}. */
final class ReceiptVerifierTest {
  private final ReceiptVerifier verifier = new ReceiptVerifier(Trust.of(SampleKeys.set()));
  private final SampleSession session = SampleSession.rich("session_1", new Random(2));

  @Test
  void aReceiptWithItsHistoryPassesAllChecksInTheirOrder() {
    List<byte[]> unused = session.issue(3);
    History history = History.of(session.head());
    Verification verification = verifier.verify(session.issue(), history);

    assertThat(verification.isComplete()).isTrue();
    assertThat(verification.results())
        .extracting(CheckResult::check)
        .containsExactly(Check.values());
    assertThat(verification.summary()).isEqualTo("valid");
  }

  @Test
  void whatCannotBeCheckedHasNotPassed() {
    byte[] first = session.issue();
    byte[] second = session.issue();
    Verification verification = new ReceiptVerifier(Trust.none()).verify(second);

    assertThat(verifier.verify(first).isComplete()).isTrue();
    assertThat(verification.verdict()).isEqualTo(Verdict.CONSISTENT);
    assertThat(verification.isComplete()).isFalse();
    assertThat(verification.summary())
        .isEqualTo("consistent; not checked: link, merkle_root, signature");
  }

  @Test
  void keysThatNobodyVouchesForFindWrongSignaturesAndProveNoOrigin() {
    ReceiptVerifier own = new ReceiptVerifier(Trust.unproven(SampleKeys.set()));
    String changed = session.draft().resigned(one -> one.put("signature", "A".repeat(86)));

    assertThat(own.verify(session.issue()).verdict()).isEqualTo(Verdict.CONSISTENT);
    assertThat(failed(own.verify(changed.getBytes(UTF_8)))).isEqualTo(Check.SIGNATURE);
  }

  @Test
  void withTrustedKeysAReceiptThatNoneOfThemHasSignedIsInvalid() {
    String unsigned = session.draft().unsigned();
    String foreign = session.draft().signed(SampleKeys.UNKNOWN);

    assertThat(failed(verifier.verify(unsigned.getBytes(UTF_8)))).isEqualTo(Check.SIGNATURE);
    assertThat(verifier.verify(foreign.getBytes(UTF_8)).summary())
        .startsWith("invalid: signature: the key " + SampleKeys.UNKNOWN.id());
  }

  @Test
  void aWitnessDoesNotStandInForTheIssuer() {
    String witnessed = session.draft().witnessed(issued -> issued);
    KeySet witnessOnly = KeySet.of(List.of(SampleKeys.WITNESS.verificationKey(UNBOUNDED)));
    ReceiptVerifier trusting = new ReceiptVerifier(Trust.of(witnessOnly));

    assertThat(failed(trusting.verify(witnessed.getBytes(UTF_8)))).isEqualTo(Check.SIGNATURE);
  }

  @Test
  void aSignatureWithoutATimeIsJudgedAtTheSignedOne() {
    String timeless = session.draft().resigned(one -> one.remove("signed_at"));
    Draft late = session.draft();
    late.receipt().put("issued_at", Instant.ofEpochSecond(SampleKeys.END).toString());
    String expired = late.resigned(one -> one.remove("signed_at"));

    assertThat(verifier.verify(timeless.getBytes(UTF_8)).verdict()).isEqualTo(Verdict.VALID);
    assertThat(failed(verifier.verify(expired.getBytes(UTF_8)))).isEqualTo(Check.KEY_VALIDITY);
  }

  @Test
  void whereNoKeyIsTrustedNothingIsValid() {
    assertThat(failed(new ReceiptVerifier(Trust.of(KeySet.EMPTY)).verify(session.issue())))
        .isEqualTo(Check.SIGNATURE);
  }

  @Test
  void theLinkIsCheckedWhereOnlyThePreviousReceiptIsKnown() {
    Receipt first = Receipt.parse(session.issue());
    byte[] second = session.issue();

    assertThat(verifier.verify(second, History.after(first.chain().receiptHash())).summary())
        .isEqualTo("valid; not checked: merkle_root");
    assertThat(failed(verifier.verify(second, History.after(Sha256.of())))).isEqualTo(Check.LINK);
  }

  @Test
  void aReceiptDoesNotFollowAnotherHistory() {
    List<byte[]> unused = session.issue(2);
    byte[] third = session.issue();
    SampleSession other = SampleSession.rich("session_1", new Random(3));
    List<byte[]> unusedOthers = other.issue(2);

    assertThat(failed(verifier.verify(third, History.of(other.head())))).isEqualTo(Check.LINK);
    assertThat(failed(verifier.verify(third, History.of(session.head())))).isEqualTo(Check.LINK);
  }

  @Test
  void theRootHasToBeThatOfTheHistory() {
    List<byte[]> unused = session.issue(2);
    History history = History.of(session.head());
    Draft draft = session.draft();
    draft.receipt().withObject("/chain").put("merkle_root", Sha256.of().toString());
    Verification verification = verifier.verify(session.issue(draft), history);

    assertThat(failed(verification)).isEqualTo(Check.MERKLE_ROOT);
    assertThat(verification.results().get(verification.results().size() - 1).outcome())
        .isEqualTo(Outcome.FAILED);
  }

  @Test
  void theFirstFailureEndsTheVerification() {
    ObjectNode receipt = (ObjectNode) StrictJson.parse(session.issue());
    receipt.withObject("/cost").put("currency", "EUR").put("total", 3);
    receipt.remove("signatures");
    Verification verification = verifier.verify(receipt.toString().getBytes(UTF_8));

    assertThat(failed(verification)).isEqualTo(Check.HASH);
    assertThat(verification.receipt()).isPresent();
    assertThat(verification.results()).hasSize(3);
    assertThat(verification.summary()).startsWith("invalid: hash: ");
  }

  @Test
  void aSummaryIsOneLineWhateverTheBytesHold() {
    String line = "a\r\nb.json: valid";
    String unknownMember = session.draft().signedAfter(one -> one.put(line, 1));
    String algorithm = session.draft().resigned(one -> one.put("algorithm", line));
    List<String> receipts = List.of("x" + line, unknownMember, algorithm);

    for (String receipt : receipts) {
      String summary = verifier.verify(receipt.getBytes(UTF_8)).summary();
      assertThat(summary).startsWith("invalid: ").hasLineCount(1);
      assertThat(summary).doesNotContain("\r");
    }
    assertThat(verifier.verify(algorithm.getBytes(UTF_8)).summary())
        .endsWith("a\\u{d}\\u{a}b.json: valid");
  }

  @Test
  void aWitnessSignsInTheSecondOfTheIssuerAtTheEarliest() {
    String early = session.draft().witnessed(issued -> issued.minusSeconds(1));
    String same = session.draft().witnessed(issued -> issued.truncatedTo(ChronoUnit.SECONDS));

    assertThat(failed(verifier.verify(early.getBytes(UTF_8)))).isEqualTo(Check.KEY_VALIDITY);
    assertThat(verifier.verify(same.getBytes(UTF_8)).isComplete()).isTrue();
  }

  private static Check failed(Verification verification) {
    return verification.failure().orElseThrow().check();
  }
}
