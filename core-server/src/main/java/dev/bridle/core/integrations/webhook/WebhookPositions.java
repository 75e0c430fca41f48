package dev.bridle.core.integrations.webhook;

import dev.bridle.storage.layer.EventId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The positions of webhooks in the event feed past events that did not match. Positions are kept in
 * memory and stored only now and then: a restart reads few events again, and unmatched events cost
 * few writes. Not thread-safe.
 */
final class WebhookPositions {
  /** The number of passed events after which a position is stored. */
  static final int MOST_PASSED = 1000;

  private final Duration longest;
  private final Map<String, Position> positions = new HashMap<>();

  /**
   * Creates an empty set of positions.
   *
   * @param longest how long a changed position may stay unstored
   */
  WebhookPositions(Duration longest) {
    this.longest = longest;
  }

  /**
   * A position.
   *
   * @param stored the stored position
   * @param at the current position
   * @param passed the number of events between the two
   * @param since when the first of them was passed, in Unix milliseconds
   */
  private record Position(EventId stored, EventId at, int passed, long since) {}

  /** Returns the position of a webhook. Another process may have moved the stored position. */
  EventId from(String webhook, EventId stored) {
    Position position = positions.get(webhook);
    return position == null ? stored : later(stored, position.at());
  }

  /**
   * Records that a webhook has passed some events, of which none matched.
   *
   * @param stored its stored position
   * @param events the number of events
   * @return whether the position should be stored
   */
  boolean pass(String webhook, EventId stored, EventId end, int events, long now) {
    Position before = positions.getOrDefault(webhook, new Position(stored, stored, 0, now));
    boolean same = before.stored().equals(stored);
    int passed = (same ? before.passed() : 0) + events;
    long since = same && before.passed() > 0 ? before.since() : now;
    positions.put(webhook, new Position(stored, later(before.at(), end), passed, since));
    return passed >= MOST_PASSED || (passed > 0 && now - since >= longest.toMillis());
  }

  /** Records that a webhook's position was stored. */
  void stored(String webhook, EventId at, long now) {
    positions.put(webhook, new Position(at, at, 0, now));
  }

  /** Removes all other webhooks. */
  void keepOnly(Collection<String> webhooks) {
    positions.keySet().retainAll(webhooks);
  }

  static EventId later(EventId one, EventId other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
