package dev.bridle.proof.bundle;

/**
 * A line of a list of receipts, or the whole of a file with one receipt. Its content is the bytes
 * that stand in the line, unchanged and not verified. Immutable.
 */
public final class BundleLine {
  private final Kind kind;
  private final long number;
  private final byte[] content;
  private final String detail;

  /** What a line is. */
  public enum Kind {
    /**
     * A receipt: by itself, of a typed line, or of a resource. What is no JSON, or an object of an
     * unknown shape, counts as one too, so that its verifier names what is wrong with it.
     */
    RECEIPT,
    /** A JWK set: a typed line with the member {@code key_set}. */
    KEY_SET,
    /** A typed line about the bundle. */
    HEADER,
    /** How far a chain reaches: a typed line with the member {@code chain}. */
    CHAIN,
    /** What stands in the lines before, all of them: a typed line with the member {@code end}. */
    END,
    /** Stands for a receipt that its server can't read: a typed line with its id. */
    LOST,
    /** What proves an approval: a typed line with the member {@code evidence}. */
    EVIDENCE,
    /** What an approver was shown: a typed line with the member {@code artifact}. */
    ARTIFACT,
    /** That a device was revoked: a typed line with the member {@code revocation}. */
    REVOCATION,
    /**
     * What a person has said to a decision, which is signed: a typed line with the member {@code
     * reason}.
     */
    REASON,
    /** A line of a task's log: a typed line with the member {@code event}. */
    EVENT,
    /** A typed line of an unknown type. */
    OTHER,
    /** A line that is too long, or in which readers may see different receipts. */
    UNREADABLE
  }

  private BundleLine(Kind kind, long number, byte[] content, String detail) {
    this.kind = kind;
    this.number = number;
    this.content = content;
    this.detail = detail;
  }

  static BundleLine of(Kind kind, long number, byte[] content) {
    return new BundleLine(kind, number, content, "");
  }

  static BundleLine without(Kind kind, long number, String detail) {
    return new BundleLine(kind, number, new byte[0], detail);
  }

  /** Returns what the line is. */
  public Kind kind() {
    return kind;
  }

  /** Returns the number of the line in its file, from 1; 0 if it is the whole file. */
  public long number() {
    return number;
  }

  /** Returns a copy of the JSON of the line's content; empty for kinds without one. */
  public byte[] content() {
    return content.clone();
  }

  /**
   * Returns the type of a line of an unknown type, the format that a header states, the id of a
   * lost receipt, or why the line is unreadable; else empty. It may quote the line, see {@link
   * dev.bridle.proof.verify.OneLine}.
   */
  public String detail() {
    return detail;
  }

  @Override
  public String toString() {
    return kind + " at " + number;
  }
}
