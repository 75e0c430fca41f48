package dev.bridle.host.acp;

/**
 * Finds out from a daemon's {@code agent/idle} when a turn is over. A daemon that was idle before
 * may say so again before it sees what it was sent: then the iteration goes on from the last one,
 * and ends nothing. Once it has been active the iteration begins anew. Thread-safe.
 */
final class IdleWatch {
  /** A daemon that waits this often has seen what it was sent, and had nothing to say. */
  private static final int SILENT = 3;

  /** So often a daemon may go on waiting until it is taken for one that never begins anew. */
  private static final int WAITING_ON = 10;

  private boolean heard;
  private int idles;

  /** The last iteration that it has reported; 0 before the first one. */
  private long iteration;

  /** Whether it waits since before it was sent what it has to do, as far as is known. */
  private boolean waitsOn;

  /** The daemon was sent something to do. */
  synchronized void begin() {
    heard = false;
    idles = 0;
    waitsOn = iteration > 0;
  }

  /**
   * It was sent a message into the turn that it is in. It may have said that it is idle before it
   * saw that, so once is not enough then.
   */
  synchronized void said() {
    heard = false;
    idles = -1;
    waitsOn = false;
  }

  /** It has reported something since. */
  synchronized void heard() {
    heard = true;
  }

  /** Returns whether it has reported something since it was sent a message, or its turn began. */
  synchronized boolean hasHeard() {
    return heard;
  }

  /**
   * It is idle: returns whether it has done what it was sent.
   *
   * @param reported how often it has waited since it was last active; 0 or less if it does not say
   */
  synchronized boolean idle(long reported) {
    idles++;
    long before = iteration;
    iteration = Math.max(0, reported);
    if (waitsOn && reported > before) {
      return idles >= (heard ? SILENT : WAITING_ON);
    }
    if (waitsOn && reported > 0) {
      waitsOn = false;
      idles = 1;
    }
    return (heard && idles > 0) || idles >= SILENT;
  }
}
