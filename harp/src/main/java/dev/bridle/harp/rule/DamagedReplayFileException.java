package dev.bridle.harp.rule;

import java.io.IOException;

/** A {@link ReplayFile} does not hold what was written to it, and so can't show what was used. */
public final class DamagedReplayFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message states what is wrong with the file. */
  public DamagedReplayFileException(String message) {
    super(message);
  }
}
