package dev.bridle.storage.layer;

import java.util.List;

/**
 * Events that were read at once.
 *
 * @param events the events, oldest first
 * @param cut whether the read stopped because of its bytes: more may follow, though these are fewer
 *     than were asked for
 */
public record EventPage(List<StoredEvent> events, boolean cut) {
  /** Copies the events. */
  public EventPage {
    events = List.copyOf(events);
  }
}
