package dev.bridle.core.integrations.enforcer;

import dev.bridle.harp.error.HarpErrorCode;

/**
 * A relay does not do what it was asked for. The message is for approvers and operators: it holds
 * no credential, and nothing that the relay has worded.
 */
public final class RelayRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final HarpErrorCode code;
  private final Outlook outlook;

  /** Whether the same call may succeed later. */
  public enum Outlook {
    /** It may by itself: the relay can't be reached, is overloaded, or has failed. */
    PASSING,
    /** It may once somebody has changed something, such as a credential or an approver. */
    REPAIRABLE,
    /** It may once the request was submitted again: the relay has lost it. */
    FORGOTTEN,
    /** It never will. */
    FINAL
  }

  /**
   * Creates it.
   *
   * @param message a sentence
   */
  public RelayRefusal(HarpErrorCode code, Outlook outlook, String message) {
    super(message);
    this.code = code;
    this.outlook = outlook;
  }

  /** Returns HARP's code; {@code TRANSPORT} if the relay has named none. */
  public HarpErrorCode code() {
    return code;
  }

  /** Returns whether it may succeed later. */
  public Outlook outlook() {
    return outlook;
  }
}
