package dev.bridle.host.acp;

/**
 * Finds out from a daemon's {@code agent/idle} when a turn is over. A daemon that was idle before
 * may say so once more before it sees a prompt, so that alone ends nothing. Thread-safe.
 */
final class IdleWatch {
  /** A daemon that waits this often has seen what it was sent, and had nothing to say. */
  private static final int SILENT = 3;

  private boolean heard;
  private int idles;

  /** The daemon was sent something to do. */
  synchronized void begin() {
    heard = false;
    idles = 0;
  }

  /**
   * It was sent a message into the turn that it is in. It may have said that it is idle before it
   * saw that, so once is not enough then.
   */
  synchronized void said() {
    heard = false;
    idles = -1;
  }

  /** It has reported something since. */
  synchronized void heard() {
    heard = true;
  }

  /** Returns whether it has reported something since it was sent a message, or its turn began. */
  synchronized boolean hasHeard() {
    return heard;
  }

  /** It is idle: returns whether it has done what it was sent. */
  synchronized boolean idle() {
    idles++;
    return (heard && idles > 0) || idles >= SILENT;
  }
}
