package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;

/** A call that the server answered with an error. */
public final class RefusedCall extends CommandFailed {
  private static final long serialVersionUID = 1L;

  private final int status;

  RefusedCall(int status, String message) {
    super(ExitCodes.FAILED, message);
    this.status = status;
  }

  /** Returns the HTTP status. */
  public int status() {
    return status;
  }
}
