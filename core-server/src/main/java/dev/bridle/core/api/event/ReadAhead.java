package dev.bridle.core.api.event;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the bytes of events that were read for streams whose readers accept nothing, in total and
 * per tenant. Beyond that, such events are read again later. Thread-safe.
 */
final class ReadAhead {
  private final long total;
  private final long perTenant;
  private final Map<String, Long> taken = new HashMap<>();
  private long takenByAll;

  /**
   * Creates the bounds.
   *
   * @param total the most bytes of all
   * @param perTenant the most bytes of one tenant
   */
  ReadAhead(long total, long perTenant) {
    this.total = total;
    this.perTenant = perTenant;
  }

  /** Takes room for a tenant's bytes. Returns false, and takes none, if there is too little. */
  synchronized boolean take(String tenant, long bytes) {
    long own = taken.getOrDefault(tenant, 0L) + bytes;
    if (own > perTenant || takenByAll + bytes > total) {
      return false;
    }
    taken.put(tenant, own);
    takenByAll += bytes;
    return true;
  }

  /** Gives room back. */
  synchronized void release(String tenant, long bytes) {
    taken.computeIfPresent(tenant, (name, own) -> own > bytes ? own - bytes : null);
    takenByAll -= bytes;
  }

  /** Returns how many bytes are taken. */
  synchronized long taken() {
    return takenByAll;
  }
}
