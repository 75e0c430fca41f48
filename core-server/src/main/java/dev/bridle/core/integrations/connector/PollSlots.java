package dev.bridle.core.integrations.connector;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the concurrent polls of this process, in total and per tenant, so that slow polls of one
 * tenant do not block those of others. Thread-safe.
 */
final class PollSlots {
  private final int all;
  private final int ofTenant;
  private final Map<String, Integer> taken = new HashMap<>();
  private int takenByAll;

  PollSlots(int all, int ofTenant) {
    this.all = all;
    this.ofTenant = ofTenant;
  }

  /** Tries to acquire a slot for a tenant's poll; returns whether one was free. */
  synchronized boolean tryAcquire(String tenant) {
    int own = taken.getOrDefault(tenant, 0);
    if (takenByAll >= all || own >= ofTenant) {
      return false;
    }
    taken.put(tenant, own + 1);
    takenByAll++;
    return true;
  }

  /** Releases a tenant's slot. */
  synchronized void release(String tenant) {
    taken.computeIfPresent(tenant, (name, own) -> own > 1 ? own - 1 : null);
    takenByAll--;
  }
}
