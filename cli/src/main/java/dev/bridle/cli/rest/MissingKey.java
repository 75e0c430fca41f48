package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;

/** No API key is named, or the file with it can't be read. */
public final class MissingKey extends CommandFailed {
  private static final long serialVersionUID = 1L;

  MissingKey(String message) {
    super(ExitCodes.USAGE, message);
  }

  MissingKey(String message, Throwable cause) {
    super(ExitCodes.USAGE, message, cause);
  }
}
