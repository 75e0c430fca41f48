package dev.bridle.proof.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.sample.Draft;
import dev.bridle.proof.sample.SampleKeys;
import dev.bridle.proof.sample.SampleSession;
import dev.bridle.proof.verify.ChainFault.Kind;
import dev.bridle.proof.verify.ChainReport.NotChecked;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Named examples of each fault are in {@code ReceiptFixturesTest}. */
final class ChainVerifierTest {
  private static final int LENGTH = 9;

  private final SampleSession session = SampleSession.plain("session_1", new Random(7));
  private final List<byte[]> chain = session.issue(LENGTH);

  @Test
  void aWholeChainHasNoFaults() {
    ChainReport report = verifier(chain).report();

    assertThat(report.isWhole()).isTrue();
    assertThat(report.receipts()).isEqualTo(LENGTH);
    assertThat(report.endChecked()).isFalse();
    assertThat(verifier(chain).report(session.head()))
        .isEqualTo(new ChainReport(LENGTH, List.of(), List.of(), Set.of(), true));
  }

  @Test
  void onlyAChainThatIsSignedUpToAKnownEndIsValid() {
    ChainVerifier untrusting = new ChainVerifier(Trust.none());
    chain.forEach(untrusting::add);

    assertThat(verifier(chain).report(session.head()).verdict()).isEqualTo(Verdict.VALID);
    assertThat(verifier(chain).report().verdict()).isEqualTo(Verdict.CONSISTENT);
    assertThat(untrusting.report(session.head()).verdict()).isEqualTo(Verdict.CONSISTENT);
    assertThat(untrusting.report().notChecked())
        .hasSize(LENGTH)
        .contains(new NotChecked(0, Check.SIGNATURE));
  }

  @Test
  void aChainThatNobodyHasSignedIsBrokenWhereKeysAreTrusted() {
    SampleSession forger = SampleSession.plain("session_1", new Random(8));
    List<byte[]> forged = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      forged.add(forger.issueUnsigned());
    }
    ChainReport report = verifier(forged).report(forger.head());

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.faults())
        .extracting(ChainFault::kind, ChainFault::position)
        .containsExactly(
            tuple(Kind.BROKEN_RECEIPT, 0),
            tuple(Kind.BROKEN_RECEIPT, 1),
            tuple(Kind.BROKEN_RECEIPT, 2));
  }

  @Test
  void receiptsThatAreNewerThanTheKnownEndLeaveItUnproven() {
    ChainHead earlier = session.head();
    List<byte[]> longer = new ArrayList<>(chain);
    longer.add(session.issue());

    assertThat(verifier(longer).report(earlier).verdict()).isEqualTo(Verdict.CONSISTENT);
  }

  @Test
  void aFaultIsOneLineWhateverItQuotes() {
    ChainFault fault = new ChainFault(Kind.OTHER_SESSION, 1, "r\n2", "session \u001b[2K\u2028x");

    assertThat(fault.toString())
        .isEqualTo("other_session at 1 (r\\u{a}2): session \\u{1b}[2K\\u{2028}x");
    assertThat(fault.receiptId()).isEqualTo("r\n2");
  }

  @Test
  void anyTwoThatAreSwappedAreNamed() {
    for (int one = 0; one < LENGTH; one++) {
      for (int other = one + 1; other < LENGTH; other++) {
        List<byte[]> swapped = new ArrayList<>(chain);
        Collections.swap(swapped, one, other);
        List<ChainFault> faults = verifier(swapped).report().faults();

        assertThat(faults).isNotEmpty().allMatch(fault -> fault.kind() == Kind.SWAPPED);
        assertThat(faults.get(0).position()).isEqualTo(one);
      }
    }
  }

  @Test
  void anyOneThatIsDroppedIsNamed() {
    for (int dropped = 0; dropped < LENGTH; dropped++) {
      List<byte[]> rest = new ArrayList<>(chain);
      rest.remove(dropped);

      assertThat(verifier(rest).report(session.head()).faults())
          .extracting(ChainFault::kind, ChainFault::position)
          .containsExactly(tuple(Kind.DROPPED, dropped));
    }
  }

  /** A chain alone does not show that it went on. */
  @Test
  void theLastOneIsMissedOnlyWhereTheHeadIsKnown() {
    ChainVerifier shorter = verifier(chain.subList(0, LENGTH - 1));

    assertThat(shorter.report().isWhole()).isTrue();
    assertThat(shorter.report().endChecked()).isFalse();
    assertThat(shorter.report(session.head()).isWhole()).isFalse();
  }

  @Test
  void aChainThatHasGoneOnStillHoldsAnEarlierHead() {
    ChainHead earlier = session.head();
    List<byte[]> longer = new ArrayList<>(chain);
    longer.addAll(session.issue(2));

    assertThat(verifier(longer).report(earlier).isWhole()).isTrue();
  }

  @Test
  void aHeadOfOtherReceiptsIsNotThatOfTheChain() {
    Sha256 last = session.head().last().orElseThrow();
    ChainHead invented = ChainHead.EMPTY.append(Sha256.of()).append(last);

    assertThat(verifier(chain).report(invented).faults())
        .extracting(ChainFault::kind)
        .containsExactly(Kind.WRONG_ROOT);
  }

  @Test
  void anyOneThatIsRepeatedIsNamed() {
    for (int repeated = 0; repeated < LENGTH; repeated++) {
      for (int at = repeated + 1; at <= LENGTH; at++) {
        List<byte[]> more = new ArrayList<>(chain);
        more.add(at, chain.get(repeated));

        assertThat(verifier(more).report().faults())
            .extracting(ChainFault::kind, ChainFault::position)
            .containsExactly(tuple(Kind.REPEATED, at));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void anyOtherOrderIsNamed(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 50; i++) {
      List<byte[]> shuffled = new ArrayList<>(chain);
      Collections.shuffle(shuffled, random);

      assertThat(verifier(shuffled).report().isWhole()).isEqualTo(shuffled.equals(chain));
    }
  }

  @Test
  void aSecondReceiptOfTheSameEraIsAForkAtAnyPlace() {
    for (int length = 0; length < 5; length++) {
      SampleSession one = SampleSession.plain("session_1", new Random(length));
      List<byte[]> receipts = one.issue(length);
      SampleSession forked = one.fork(1);
      SampleSession restored = one.fork(2);
      receipts.add(one.issue());

      assertThat(kinds(receipts, forked.issue())).containsExactly(Kind.FORKED);
      assertThat(kinds(receipts, restored.issue())).containsExactly(Kind.HISTORY_DIVIDED);
    }
  }

  @Test
  void receiptsOfReplaysAreNoLinks() {
    Draft replay = session.draft();
    ObjectNode receipt = replay.receipt();
    receipt.putObject("subject").put("object", "replay_segment").put("id", "replay_1");
    receipt.withObject("/metadata").remove("bridle.chain");
    receipt.withObject("/chain").remove("merkle_root");
    byte[] signed = replay.signed().getBytes(UTF_8);
    List<byte[]> receipts = new ArrayList<>(chain);
    receipts.add(3, signed);

    assertThat(verifier(receipts).report(session.head()).isWhole()).isTrue();
    receipts.remove(LENGTH);
    assertThat(verifier(receipts).report(session.head()).faults())
        .extracting(ChainFault::kind, ChainFault::position)
        .containsExactly(tuple(Kind.DROPPED, LENGTH));
  }

  @Test
  void bytesThatAreNoReceiptAreNamedByTheirPosition() {
    List<byte[]> receipts = new ArrayList<>(chain);
    receipts.add(2, new byte[0]);

    assertThat(verifier(receipts).report().faults())
        .extracting(ChainFault::kind, ChainFault::position, ChainFault::receiptId)
        .containsExactly(tuple(Kind.BROKEN_RECEIPT, 2, ""));
  }

  @Test
  void anEmptyListIsAnEmptyChain() {
    ChainVerifier empty = new ChainVerifier(Trust.of(SampleKeys.set()));

    assertThat(empty.report(ChainHead.EMPTY).isWhole()).isTrue();
    assertThat(empty.report(session.head()).faults())
        .extracting(ChainFault::kind)
        .containsExactly(Kind.DROPPED);
  }

  private static List<Kind> kinds(List<byte[]> receipts, byte[] next) {
    List<byte[]> all = new ArrayList<>(receipts);
    all.add(next);
    return verifier(all).report().faults().stream().map(ChainFault::kind).toList();
  }

  private static ChainVerifier verifier(List<byte[]> receipts) {
    ChainVerifier verifier = new ChainVerifier(Trust.of(SampleKeys.set()));
    receipts.forEach(verifier::add);
    return verifier;
  }
}
