package dev.bridle.host.task;

/** The memory that all processes of a server's agents may have together. Thread-safe. */
public final class MemoryBudget {
  private final long total;
  private long taken;

  /** Creates a budget of so many bytes. */
  public MemoryBudget(long total) {
    this.total = total;
  }

  /** Returns a budget that never ends. */
  public static MemoryBudget unlimited() {
    return new MemoryBudget(Long.MAX_VALUE);
  }

  /** Returns how many bytes there are in all. */
  public long total() {
    return total;
  }

  /** Takes some, if so much is left. */
  synchronized boolean tryTake(long bytes) {
    if (bytes > total - taken) {
      return false;
    }
    taken += bytes;
    return true;
  }

  boolean isUnlimited() {
    return total == Long.MAX_VALUE;
  }

  /** Counts otherwise what was taken, also if that is more than is left: it is in use. */
  synchronized void count(long before, long now) {
    taken += now - before;
  }

  synchronized void giveBack(long bytes) {
    taken -= bytes;
  }
}
