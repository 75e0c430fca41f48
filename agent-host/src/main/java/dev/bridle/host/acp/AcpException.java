package dev.bridle.host.acp;

import dev.bridle.host.rpc.AnsweredError;

/** An agent that did not do what it was asked: why, by name and in a sentence. */
public final class AcpException extends Exception {
  private static final long serialVersionUID = 1L;

  /** ACP's error for whoever has to log in first. */
  static final int LOGIN_REQUIRED = -32000;

  /** Why. */
  public enum Reason {
    /** The agent speaks another version of the protocol. */
    VERSION,
    /** A person has to log in to the agent first. */
    LOGIN,
    /** The agent answered with an error, which is the cause. */
    ANSWERED_ERROR,
    /** The agent gave an answer without what the protocol requires. */
    BAD_ANSWER,
    /** No answer came; the cause says why. */
    NO_ANSWER,
    /** The agent does not offer a setting that a person chose, or refuses it. */
    SETTING,
    /** The session's phase does not allow it. */
    PHASE
  }

  private final Reason reason;

  AcpException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  private AcpException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /**
   * Of what a call failed with.
   *
   * @param logins the sentence that says which logins the agent offers
   */
  static AcpException of(Throwable failure, String logins) {
    String message = failure.getMessage();
    if (failure instanceof AnsweredError answered) {
      return answered.error().code() == LOGIN_REQUIRED
          ? new AcpException(
              Reason.LOGIN, message.replaceFirst("\\.$", "") + ". " + logins, answered)
          : new AcpException(Reason.ANSWERED_ERROR, message, answered);
    }
    return new AcpException(Reason.NO_ANSWER, message, failure);
  }

  /** Returns why. */
  public Reason reason() {
    return reason;
  }
}
