package dev.bridle.storage.layer;

import java.util.List;

/**
 * A page of events.
 *
 * @param events the events, oldest first
 * @param cut whether more may follow although fewer than requested were returned: the read stopped
 *     at the byte limit, or events of a damaged log were left out
 */
public record EventPage(List<StoredEvent> events, boolean cut) {
  /** Copies the events. */
  public EventPage {
    events = List.copyOf(events);
  }
}
