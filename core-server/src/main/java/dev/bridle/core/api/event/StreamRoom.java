package dev.bridle.core.api.event;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import java.util.HashMap;
import java.util.Map;

/**
 * Room for the event streams that are open in this process, of all tenants and of each. Safe for
 * many threads.
 */
public final class StreamRoom {
  private final int all;
  private final int ofTenant;
  private final Map<String, Integer> taken = new HashMap<>();
  private int takenByAll;

  /**
   * Makes room.
   *
   * @param all how many streams may be open
   * @param ofTenant how many of them may be one tenant's
   */
  public StreamRoom(int all, int ofTenant) {
    this.all = all;
    this.ofTenant = ofTenant;
  }

  /** Takes room for a stream of a tenant; {@code rate_limited} where there is none. */
  synchronized void take(String tenant) {
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

  /** Gives the room back of a stream that has ended. */
  synchronized void giveBack(String tenant) {
    taken.computeIfPresent(tenant, (name, own) -> own > 1 ? own - 1 : null);
    takenByAll--;
  }
}
