package dev.bridle.cli.receipt;

import dev.bridle.cli.receipt.IssuerKeys.Source;
import dev.bridle.harp.evidence.EvidenceBundle;
import dev.bridle.proof.bundle.BundleLine;
import dev.bridle.proof.bundle.BundleReader;
import dev.bridle.proof.key.KeySet;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Verifies the lines of one file. Its key set counts for it alone. */
final class FileVerification {
  private final String file;
  private final ReceiptSink receipts;
  private final VerifyOutput output;
  private final Optional<EvidenceVerification> approvals;
  private IssuerKeys keys;
  private long lines;
  private long receiptLines;
  private boolean hasKeySet;

  FileVerification(String file, IssuerKeys given, ReceiptSink receipts, VerifyOutput output) {
    this(file, given, receipts, output, Optional.empty());
  }

  /**
   * Verifies a file.
   *
   * @param approvals verifies lines of evidence; empty: they are left out
   */
  FileVerification(
      String file,
      IssuerKeys given,
      ReceiptSink receipts,
      VerifyOutput output,
      Optional<EvidenceVerification> approvals) {
    this.file = file;
    this.keys = given;
    this.receipts = receipts;
    this.output = output;
    this.approvals = approvals;
  }

  void verifyDocument(InputStream in) throws IOException {
    verify(BundleReader.readDocument(in));
  }

  void verifyLines(InputStream in) throws IOException {
    BundleReader reader =
        approvals.isPresent()
            ? new BundleReader(in, EvidenceBundle.MAX_LINE_BYTES)
            : new BundleReader(in);
    Optional<BundleLine> line = reader.next();
    while (line.isPresent()) {
      verify(line.get());
      line = reader.next();
    }
    approvals.ifPresent(EvidenceVerification::end);
  }

  /** Returns whether the file had a receipt, or something in place of one. */
  boolean hasReceipts() {
    return receiptLines > 0;
  }

  private void verify(BundleLine line) {
    Place place = new Place(file, line.number());
    lines++;
    switch (line.kind()) {
      case RECEIPT -> {
        receiptLines++;
        receipts.verify(place, line.content(), keys);
        approvals.ifPresent(all -> all.begin(place, line.content(), keys));
      }
      case KEY_SET -> keySet(place, line.content());
      case HEADER -> {
        if (lines > 1) {
          output.print(LineResult.unreadable(place, "a header can only be the first line"));
        }
      }
      case EVIDENCE, ARTIFACT, REVOCATION, EVENT ->
          approvals.ifPresentOrElse(
              all -> all.add(place, line),
              () ->
                  output.print(
                      LineResult.skipped(
                          place, "lines of evidence are verified by 'verify --evidence'")));
      case OTHER ->
          output.print(
              LineResult.skipped(
                  place, "lines of type `" + line.detail() + "` can't be verified here"));
      case UNREADABLE -> {
        receiptLines++;
        output.print(LineResult.unreadable(place, line.detail()));
      }
    }
  }

  private void keySet(Place place, byte[] json) {
    if (hasKeySet || receiptLines > 0) {
      output.print(
          LineResult.unreadable(place, "a key set stands once in a file, before its receipts"));
      return;
    }
    hasKeySet = true;
    KeySet own;
    try {
      own = KeySet.parse(json);
    } catch (IllegalArgumentException e) {
      output.print(LineResult.unreadable(place, "the key set is rejected: " + e.getMessage()));
      return;
    }
    if (keys.source() == Source.TRUSTED) {
      output.printUnconfirmed(place, keys.countUnconfirmed(own), own.keys().size());
    } else {
      keys = new IssuerKeys(own, Source.SAME_FILE);
    }
  }
}
