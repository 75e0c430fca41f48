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
    /** The session's phase does not allow it. */
    PHASE
  }

  private final Reason reason;

  AcpException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  private AcpException(Reason reason, Throwable cause) {
    super(cause.getMessage(), cause);
    this.reason = reason;
  }

  /** Of what a call failed with. */
  static AcpException of(Throwable failure) {
    if (failure instanceof AnsweredError answered) {
      boolean login = answered.error().code() == LOGIN_REQUIRED;
      return new AcpException(login ? Reason.LOGIN : Reason.ANSWERED_ERROR, answered);
    }
    return new AcpException(Reason.NO_ANSWER, failure);
  }

  /** Returns why. */
  public Reason reason() {
    return reason;
  }
}
