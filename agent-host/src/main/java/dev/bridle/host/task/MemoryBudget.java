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

  synchronized void giveBack(long bytes) {
    taken -= bytes;
  }
}
