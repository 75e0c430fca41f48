package dev.bridle.gateway.kit.call;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of request bodies in progress, in total and per holder, so that one tenant
 * can't use all of it. Thread-safe.
 */
public final class BodyBudget {
  private final long total;
  private final long perHolder;
  private final AtomicLong used = new AtomicLong();
  private final ConcurrentHashMap<String, Long> usedByHolder = new ConcurrentHashMap<>();

  /**
   * @param total the budget, in bytes
   * @param perHolder the maximum bytes per holder
   */
  public BodyBudget(long total, long perHolder) {
    this.total = total;
    this.perHolder = perHolder;
  }

  /** Returns an empty reservation for a holder. */
  public Reservation of(String holder) {
    return new Reservation(holder);
  }

  /** Returns the number of reserved bytes. */
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

  /** The reserved memory of one request or of one WebSocket message. */
  public final class Reservation {
    private final String holder;
    private long bytes;
    private boolean closed;

    private Reservation(String holder) {
      this.holder = holder;
    }

    /** Reserves more bytes. Returns false, and reserves nothing, if too little is left. */
    public synchronized boolean grow(long more) {
      if (closed || !reserve(holder, more)) {
        return false;
      }
      bytes += more;
      return true;
    }

    /** Returns whether nothing is reserved. */
    public synchronized boolean isEmpty() {
      return bytes == 0;
    }

    /** Releases some of the reserved bytes; all of them, if there are not so many. */
    public synchronized void shrink(long fewer) {
      long released = Math.min(fewer, bytes);
      if (released > 0) {
        release(holder, released);
        bytes -= released;
      }
    }

    /** Releases all reserved bytes; nothing can be reserved afterwards. */
    public synchronized void close() {
      clear();
      closed = true;
    }

    /** Releases all reserved bytes. */
    public synchronized void clear() {
      if (bytes > 0) {
        release(holder, bytes);
        bytes = 0;
      }
    }
  }
}
