package dev.bridle.gateway.call;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory that bodies of requests under way take: all together, and for each holder, so
 * that one tenant leaves room for the others. Safe for many threads.
 */
public final class BodyBudget {
  private final long total;
  private final long perHolder;
  private final AtomicLong used = new AtomicLong();
  private final ConcurrentHashMap<String, Long> usedByHolder = new ConcurrentHashMap<>();

  /**
   * @param total how many bytes there are
   * @param perHolder how many of them one holder may have
   */
  public BodyBudget(long total, long perHolder) {
    this.total = total;
    this.perHolder = perHolder;
  }

  /** Returns an empty reservation of a holder. */
  public Reservation of(String holder) {
    return new Reservation(holder);
  }

  /** Returns how many bytes are reserved. */
  public long used() {
    return used.get();
  }

  private boolean reserve(String holder, long bytes) {
    if (used.addAndGet(bytes) > total) {
      used.addAndGet(-bytes);
      return false;
    }
    boolean[] fits = {false};
    usedByHolder.compute(
        holder,
        (name, before) -> {
          long after = (before == null ? 0 : before) + bytes;
          fits[0] = after <= perHolder;
          return fits[0] ? Long.valueOf(after) : before;
        });
    if (!fits[0]) {
      used.addAndGet(-bytes);
    }
    return fits[0];
  }

  private void release(String holder, long bytes) {
    usedByHolder.computeIfPresent(
        holder, (name, before) -> before == bytes ? null : Long.valueOf(before - bytes));
    used.addAndGet(-bytes);
  }

  /** What one request, or one message of a WebSocket, has of the budget. */
  public final class Reservation {
    private final String holder;
    private long bytes;
    private boolean closed;

    private Reservation(String holder) {
      this.holder = holder;
    }

    /** Takes more of the budget; returns false, and takes nothing, where too little is left. */
    public synchronized boolean grow(long more) {
      if (closed || !reserve(holder, more)) {
        return false;
      }
      bytes += more;
      return true;
    }

    /** Gives back all that was taken; nothing can be taken afterwards. */
    public synchronized void close() {
      clear();
      closed = true;
    }

    /** Gives back all that was taken. */
    public synchronized void clear() {
      if (bytes > 0) {
        release(holder, bytes);
        bytes = 0;
      }
    }
  }
}
