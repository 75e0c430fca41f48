package dev.bridle.core.integrations.connector;

import java.util.HashMap;
import java.util.Map;

/**
 * Room for polls that are under way in this process. Each tenant has a share, so that one whose
 * polls are slow leaves room for those of others. Safe for many threads.
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

  /** Takes a slot for a tenant's poll; returns whether there was one. */
  synchronized boolean tryTake(String tenant) {
    int own = taken.getOrDefault(tenant, 0);
    if (takenByAll >= all || own >= ofTenant) {
      return false;
    }
    taken.put(tenant, own + 1);
    takenByAll++;
    return true;
  }

  /** Gives a slot back that was taken for a tenant. */
  synchronized void giveBack(String tenant) {
    taken.computeIfPresent(tenant, (name, own) -> own > 1 ? own - 1 : null);
    takenByAll--;
  }
}
