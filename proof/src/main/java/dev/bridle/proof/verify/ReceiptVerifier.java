package dev.bridle.proof.verify;

import dev.bridle.proof.receipt.InvalidReceiptException;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.CheckResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Verifies single receipts against a set of keys and what is known of their history, with nothing
 * fetched from anywhere. Thread-safe.
 */
public final class ReceiptVerifier {
  private final Trust trust;

  /** Verifies with the keys of a trust. */
  public ReceiptVerifier(Trust trust) {
    this.trust = trust;
  }

  /** Verifies a receipt of which no other is known. */
  public Verification verify(byte[] receipt) {
    return verify(receipt, History.UNKNOWN);
  }

  /** Verifies a receipt, and that it follows a history. Never throws for what is in the bytes. */
  public Verification verify(byte[] bytes, History history) {
    Receipt receipt;
    try {
      receipt = Receipt.parse(bytes);
    } catch (InvalidReceiptException e) {
      return new Verification(Optional.empty(), notReceipt(e), false);
    }
    LinkCheck links = new LinkCheck(receipt, history);
    List<CheckResult> results = new ArrayList<>();
    results.add(CheckResult.passed(Check.JSON));
    results.add(CheckResult.passed(Check.SCHEMA));
    SignatureCheck signatures = new SignatureCheck(receipt, trust);
    List<Supplier<List<CheckResult>>> rest =
        List.of(
            () -> List.of(hash(receipt)),
            () -> List.of(links.link()),
            () -> List.of(links.merkleRoot()),
            signatures::results);
    for (Supplier<List<CheckResult>> check : rest) {
      results.addAll(check.get());
      if (results.get(results.size() - 1).outcome() == Outcome.FAILED) {
        break;
      }
    }
    return new Verification(Optional.of(receipt), results, signatures.isProven());
  }

  private static List<CheckResult> notReceipt(InvalidReceiptException e) {
    return switch (e.reason()) {
      case JSON -> List.of(CheckResult.failed(Check.JSON, e.getMessage()));
      case SCHEMA ->
          List.of(CheckResult.passed(Check.JSON), CheckResult.failed(Check.SCHEMA, e.getMessage()));
    };
  }

  private static CheckResult hash(Receipt receipt) {
    return CheckResult.of(
        Check.HASH,
        receipt.contentHash().equals(receipt.chain().receiptHash()),
        "the content has another hash than `chain.receipt_hash`");
  }
}
