package dev.bridle.proof.statement;

import dev.bridle.proof.verify.OneLine;

/** A statement that can't be read, or that its key has not signed. The message is one line. */
public final class InvalidStatementException extends Exception {
  private static final long serialVersionUID = 1;

  InvalidStatementException(String why) {
    super(OneLine.of(why));
  }
}
