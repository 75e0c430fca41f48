package dev.bridle.cli.replay;

import java.util.Locale;

/** What a replay on a server goes through. */
enum ReplayDepth {
  /** The log. */
  LOG,

  /** The task's handler, then the log. */
  EXECUTE;

  /** Returns how requests and options spell it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
