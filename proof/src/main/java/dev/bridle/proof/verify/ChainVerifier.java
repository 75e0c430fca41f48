package dev.bridle.proof.verify;

import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.receipt.ResourceRef;
import dev.bridle.proof.verify.ChainFault.Kind;
import dev.bridle.proof.verify.ChainReport.NotChecked;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Verifies a list of receipts of one session as its chain, from the first on. Each is verified by
 * itself when it is added; how they follow each other is judged at the end, so that receipts that
 * were swapped, dropped, repeated or forked are named as such. Receipts of replays are no links of
 * a chain, and only verified by themselves. Keeps about 500 bytes of each receipt. Not thread-safe.
 */
public final class ChainVerifier {
  private final ReceiptVerifier verifier;
  private final List<ChainFault> faults = new ArrayList<>();
  private final List<ChainEntry> entries = new ArrayList<>();
  private final List<NotChecked> notChecked = new ArrayList<>();
  private final List<Integer> unsigned = new ArrayList<>();
  private final boolean isTrusting;
  private int added;

  /** Verifies with the keys of a trust. */
  public ChainVerifier(Trust trust) {
    this.verifier = new ReceiptVerifier(trust);
    this.isTrusting = trust.isProven();
  }

  /** Adds the next receipt, and returns what its own checks found, as if no other was known. */
  public Verification add(byte[] receipt) {
    Verification verification = verifier.verify(receipt);
    int position = added++;
    String id = verification.receipt().map(Receipt::id).orElse("");
    verification
        .failure()
        .ifPresent(
            failed ->
                faults.add(new ChainFault(Kind.BROKEN_RECEIPT, position, id, failed.toString())));
    verification.notChecked().stream()
        .map(CheckResult::check)
        .filter(check -> check == Check.SIGNATURE || check == Check.KEY_VALIDITY)
        .distinct()
        .forEach(check -> notChecked.add(new NotChecked(position, check)));
    if (verification.verdict() == Verdict.CONSISTENT) {
      unsigned.add(position);
    }
    verification
        .receipt()
        .filter(one -> !one.subject().object().equals(ResourceRef.REPLAY_SEGMENT))
        .ifPresent(one -> entries.add(ChainEntry.of(position, one)));
    return verification;
  }

  /** Judges the receipts that were added; whether newer ones are missing can't be known. */
  public ChainReport report() {
    return report(List.of());
  }

  /** Judges the receipts that were added, and that they hold all up to a head that is known. */
  public ChainReport report(ChainHead head) {
    return report(List.of(new StatedEnd(ChainEnd.of(head), true, false)));
  }

  /**
   * Judges the receipts that were added, and that they hold all up to each of some ends. What a key
   * signed of which nobody can know whether others had it by then counts as signed where an end
   * that is proven is newer.
   */
  public ChainReport report(List<StatedEnd> ends) {
    ChainOrder order = new ChainOrder(entries, ends, added);
    List<ChainFault> all = new ArrayList<>(faults);
    all.addAll(order.faults());
    all.sort((one, other) -> Integer.compare(one.position(), other.position()));
    boolean isCovering = isTrusting && all.isEmpty();
    List<NotChecked> open =
        notChecked.stream()
            .filter(
                one ->
                    one.check() != Check.KEY_VALIDITY
                        || !isCovering
                        || !order.isCovered(one.position()))
            .toList();
    Set<Integer> stillUnsigned =
        unsigned.stream()
            .filter(position -> !isCovering || !order.isCovered(position))
            .collect(Collectors.toSet());
    return new ChainReport(added, all, open, stillUnsigned, order.isEndProven());
  }
}
