package dev.bridle.cli.receipt;

import dev.bridle.cli.receipt.IssuerKeys.Source;
import dev.bridle.harp.evidence.EvidenceBundle;
import dev.bridle.proof.bundle.BundleLine;
import dev.bridle.proof.bundle.BundleReader;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.statement.ChainStatement;
import dev.bridle.proof.statement.ExportEnd;
import dev.bridle.proof.statement.InvalidStatementException;
import dev.bridle.proof.verify.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;

/** Verifies the lines of one file. Its key set counts for it alone. */
final class FileVerification {
  private static final Set<String> FORMATS_WITH_END =
      Set.of("bridle.receipts/2", "bridle.evidence/2");

  private final String file;
  private final ReceiptSink receipts;
  private final VerifyOutput output;
  private final Optional<EvidenceVerification> approvals;
  private IssuerKeys keys;
  private long lines;
  private long receiptLines;
  private boolean hasKeySet;
  private String format = "";
  private boolean isExport;
  private boolean isEnded;
  private boolean isEndProven;
  private boolean isEndWrong;

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
    verify(BundleReader.readDocument(in), Sha256.of());
  }

  void verifyLines(InputStream in) throws IOException {
    BundleReader reader =
        approvals.isPresent()
            ? new BundleReader(in, EvidenceBundle.MAX_LINE_BYTES)
            : new BundleReader(in);
    Optional<BundleLine> line = reader.next();
    while (line.isPresent()) {
      verify(line.get(), reader.before());
      line = reader.next();
    }
    approvals.ifPresent(EvidenceVerification::end);
  }

  /** Says so if lines of the file may be missing: what a server exports has a signed end. */
  void judgeEnd() {
    boolean mayLack =
        FORMATS_WITH_END.contains(format)
            || (isExport && receipts.isOfChains())
            || approvals.isPresent();
    if (mayLack && !isEndProven && !isEndWrong) {
      output.print(
          LineResult.open(
              new Place(file, 0),
              new Finding(Finding.END, "no signed end says that no line is missing")));
    }
  }

  /** Returns whether the file had a receipt, or something in place of one. */
  boolean hasReceipts() {
    return receiptLines > 0;
  }

  private void verify(BundleLine line, Sha256 before) {
    Place place = new Place(file, line.number());
    lines++;
    if (isEnded) {
      output.print(LineResult.unreadable(place, "it stands after the end"));
      return;
    }
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
        format = line.detail();
        isExport = true;
      }
      case CHAIN -> stated(place, line.content());
      case END -> end(place, line.content(), before);
      case LOST -> {
        receiptLines++;
        output.print(
            LineResult.unreadable(
                place, "its server can't read the receipt " + OneLine.of(line.detail())));
      }
      case EVIDENCE, ARTIFACT, REVOCATION, REASON, EVENT ->
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

  private void stated(Place place, byte[] json) {
    isExport = true;
    try {
      receipts.stated(ChainStatement.read(json, keys.trust()), keys);
    } catch (InvalidStatementException e) {
      output.print(LineResult.failed(place, new Finding(Finding.STATEMENT, e.getMessage())));
    }
  }

  private void end(Place place, byte[] json, Sha256 before) {
    isEnded = true;
    try {
      isEndProven = ExportEnd.verify(json, before, keys.trust());
    } catch (InvalidStatementException e) {
      isEndWrong = true;
      output.print(LineResult.failed(place, new Finding(Finding.END, e.getMessage())));
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
