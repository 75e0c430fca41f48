package dev.bridle.core.kernel.call;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes are under way, in all for each tenant, and for those without credentials.
 * Thread-safe.
 */
public final class PendingBytes {
  /** Who has sent no credential. */
  static final String NOBODY = "";

  private final long total;
  private final long ofTenant;
  private final long ofNobody;
  private final AtomicLong used = new AtomicLong();
  private final ConcurrentHashMap<String, Long> usedBy = new ConcurrentHashMap<>();

  /**
   * Creates the count: half of all is for one tenant, a quarter for those without credentials.
   *
   * @param total the most for all
   * @param ofOne the most of one request, for which there always is room
   */
  public PendingBytes(long total, long ofOne) {
    this.total = Math.max(ofOne, total);
    this.ofTenant = Math.max(ofOne, total / 2);
    this.ofNobody = Math.max(ofOne, total / 4);
  }

  /** Returns the bytes that are under way. */
  public long used() {
    return used.get();
  }

  /** Takes bytes, if there is room for them. */
  boolean take(String holder, long bytes) {
    long after = usedBy.merge(holder, bytes, Long::sum);
    long most = holder.equals(NOBODY) ? ofNobody : ofTenant;
    if (used.addAndGet(bytes) <= total && after <= most) {
      return true;
    }
    giveBack(holder, bytes);
    return false;
  }

  /** Returns whether there is room for bytes, whoever has them. */
  boolean hasRoomForAll(long bytes) {
    return used.get() + bytes <= total;
  }

  void giveBack(String holder, long bytes) {
    usedBy.computeIfPresent(
        holder, (name, before) -> before == bytes ? null : Long.valueOf(before - bytes));
    used.addAndGet(-bytes);
  }
}
