package dev.bridle.host.task;

import java.util.Locale;

/** How long a process of a runtime lives. */
public enum ProcessScope {
  /** For one task. */
  TASK,
  /** For one session, until that has been idle for a while. */
  SESSION,
  /** For all sessions in a folder: a daemon, which has several sessions at a time. */
  DAEMON;

  /** Returns the word that the file has for it. */
  public String spelled() {
    return name().toLowerCase(Locale.ROOT);
  }
}
