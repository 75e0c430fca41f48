package dev.bridle.cli.receipt;

import dev.bridle.harp.evidence.EvidenceException;
import dev.bridle.proof.verify.ChainFault;
import dev.bridle.proof.verify.CheckResult;
import dev.bridle.proof.verify.OneLine;

/**
 * A check that failed, or could not be made.
 *
 * @param check its name: a check of a receipt or of evidence, a fault of a chain, or one of the
 *     constants here
 * @param detail why, as one line
 */
record Finding(String check, String detail) {
  /** Whether a line of a file can be read. */
  static final String LINE = "line";

  /** Whether a file can be read, and has receipts. */
  static final String FILE = "file";

  /** Whether keys that are trusted say who has issued the receipts. */
  static final String ORIGIN = "origin";

  /** Whether the end of a chain or of an export is known, so that nothing is missing behind it. */
  static final String END = "end";

  /** What an issuer says of a chain. */
  static final String STATEMENT = "statement";

  Finding {
    detail = OneLine.of(detail);
  }

  static Finding of(CheckResult result) {
    return new Finding(result.check().spelling(), result.detail());
  }

  static Finding of(EvidenceException fault) {
    return new Finding(fault.check().spelling(), fault.getMessage());
  }

  static Finding of(ChainFault fault) {
    return new Finding(fault.kind().spelling(), fault.detail());
  }

  @Override
  public String toString() {
    return check + ": " + detail;
  }
}
