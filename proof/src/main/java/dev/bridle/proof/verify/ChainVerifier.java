package dev.bridle.proof.verify;

import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.receipt.ChainHead;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.receipt.ResourceRef;
import dev.bridle.proof.verify.ChainFault.Kind;
import dev.bridle.proof.verify.ChainReport.NotChecked;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
  private int added;

  /** Trusts a set of keys, each of them for any issuer; see {@link ReceiptVerifier}. */
  public ChainVerifier(KeySet keys) {
    this.verifier = new ReceiptVerifier(keys);
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
    verification
        .receipt()
        .filter(one -> !one.subject().object().equals(ResourceRef.REPLAY_SEGMENT))
        .ifPresent(one -> entries.add(ChainEntry.of(position, one)));
    return verification;
  }

  /**
   * Judges the receipts that were added; whether newer ones are missing can't be known. Only a
   * report that is both whole and complete is a proof, see {@link ChainReport}.
   */
  public ChainReport report() {
    return report(Optional.empty());
  }

  /**
   * Judges the receipts that were added, and that they hold all up to a head. Only a report that is
   * both whole and complete is a proof, see {@link ChainReport}.
   */
  public ChainReport report(ChainHead head) {
    return report(Optional.of(head));
  }

  private ChainReport report(Optional<ChainHead> head) {
    ChainOrder order = new ChainOrder(entries, head);
    List<ChainFault> all = new ArrayList<>(faults);
    all.addAll(order.faults());
    all.sort((one, other) -> Integer.compare(one.position(), other.position()));
    return new ChainReport(added, all, notChecked, head.isPresent());
  }
}
