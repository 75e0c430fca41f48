package dev.bridle.proof.receipt;

/** Bytes that are not a receipt: not strict JSON, or not of the published schema. */
public final class InvalidReceiptException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** What the bytes are not. */
  public enum Reason {
    /** They are not strict JSON. */
    JSON,
    /** They are JSON that does not meet the schema. */
    SCHEMA
  }

  private final Reason reason;

  InvalidReceiptException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  InvalidReceiptException(Reason reason, Throwable cause) {
    super(cause.getMessage(), cause);
    this.reason = reason;
  }

  /** Returns what the bytes are not. */
  public Reason reason() {
    return reason;
  }
}
