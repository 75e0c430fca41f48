package dev.bridle.core.api.event;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import java.util.HashMap;
import java.util.Map;

/** Limits the open event streams of this process, in total and per tenant. Thread-safe. */
public final class StreamSlots {
  private final int all;
  private final int ofTenant;
  private final Map<String, Integer> taken = new HashMap<>();
  private int takenByAll;

  /**
   * Creates the limits.
   *
   * @param all the maximum number of open streams
   * @param ofTenant the maximum number of open streams of one tenant
   */
  public StreamSlots(int all, int ofTenant) {
    this.all = all;
    this.ofTenant = ofTenant;
  }

  /** Acquires a slot for a tenant's stream; {@code rate_limited} if none is free. */
  synchronized void acquire(String tenant) {
    int own = taken.getOrDefault(tenant, 0);
    if (own >= ofTenant) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "The tenant has as many event streams open as it may; close some.")
          .with("max_event_streams", ofTenant);
    }
    if (takenByAll >= all) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "Too many event streams are open; try again later.")
          .with("max_streams", all);
    }
    taken.put(tenant, own + 1);
    takenByAll++;
  }

  /** Releases the slot of an ended stream. */
  synchronized void release(String tenant) {
    taken.computeIfPresent(tenant, (name, own) -> own > 1 ? own - 1 : null);
    takenByAll--;
  }
}
