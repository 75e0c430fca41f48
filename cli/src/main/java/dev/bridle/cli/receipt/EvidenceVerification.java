package dev.bridle.cli.receipt;

import dev.bridle.harp.evidence.ApprovalDetails;
import dev.bridle.harp.evidence.EvidenceBundle;
import dev.bridle.harp.evidence.EvidenceException;
import dev.bridle.harp.evidence.EvidenceVerifier;
import dev.bridle.proof.bundle.BundleLine;
import dev.bridle.proof.receipt.InvalidReceiptException;
import dev.bridle.proof.receipt.Receipt;
import java.util.Iterator;
import java.util.Optional;

/** Verifies the approvals of the one receipt of a bundle of evidence. */
final class EvidenceVerification {
  private final VerifyOutput output;
  private Optional<EvidenceBundle> bundle = Optional.empty();
  private Optional<Place> place = Optional.empty();

  EvidenceVerification(VerifyOutput output) {
    this.output = output;
  }

  /** Begins with a receipt, which its own verification has judged. */
  void begin(Place at, byte[] receipt, IssuerKeys issuers) {
    if (place.isPresent()) {
      output.print(LineResult.unreadable(at, "a bundle of evidence has one receipt"));
      return;
    }
    place = Optional.of(at);
    try {
      bundle = Optional.of(new EvidenceBundle(Receipt.parse(receipt).json(), issuers.keys()));
    } catch (InvalidReceiptException e) {
      // Its own verification says so.
    }
  }

  /** Takes a line of evidence. */
  void add(Place at, BundleLine line) {
    if (bundle.isEmpty()) {
      output.print(LineResult.unreadable(at, "evidence stands after the receipt that it is of"));
      return;
    }
    try {
      bundle.get().add(line);
    } catch (EvidenceException e) {
      output.print(LineResult.failed(at, Finding.of(e)));
    }
  }

  /** Ends the bundle, and prints what was found about each approval, and what it is about. */
  void end() {
    bundle.ifPresent(
        whole -> {
          Iterator<ApprovalDetails> details = ApprovalDetails.of(whole).iterator();
          EvidenceVerifier.verify(whole)
              .forEach(result -> output.print(place.orElseThrow(), result, details.next()));
        });
  }
}
