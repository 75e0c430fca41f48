package dev.bridle.core.integrations.webhook;

import dev.bridle.storage.layer.EventId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * How far webhooks are that wanted nothing of what came last. That is remembered here, and stored
 * only now and then: so a start reads but little again, and events that nobody wants cost few
 * writes. Not safe for several threads.
 */
final class WebhookPlaces {
  /** How many events a webhook passes before its place is stored. */
  static final int MOST_PASSED = 1000;

  private final Duration longest;
  private final Map<String, Place> places = new HashMap<>();

  /**
   * Remembers nothing yet.
   *
   * @param longest how long a place that moves is not stored
   */
  WebhookPlaces(Duration longest) {
    this.longest = longest;
  }

  /**
   * A place.
   *
   * @param stored the place that is stored
   * @param at how far the webhook is
   * @param passed how many events lie between
   * @param since when the first of them was passed
   */
  private record Place(EventId stored, EventId at, int passed, long since) {}

  /** Returns where a webhook goes on, whose stored place another process may have moved. */
  EventId from(String webhook, EventId stored) {
    Place place = places.get(webhook);
    return place == null ? stored : later(stored, place.at());
  }

  /**
   * Notes that a webhook is past some events, of which it wanted none.
   *
   * @param stored the place that is stored for it
   * @param events how many
   * @return whether its place should be stored
   */
  boolean pass(String webhook, EventId stored, EventId end, int events, long now) {
    Place before = places.getOrDefault(webhook, new Place(stored, stored, 0, now));
    boolean same = before.stored().equals(stored);
    int passed = (same ? before.passed() : 0) + events;
    long since = same && before.passed() > 0 ? before.since() : now;
    places.put(webhook, new Place(stored, later(before.at(), end), passed, since));
    return passed >= MOST_PASSED || (passed > 0 && now - since >= longest.toMillis());
  }

  /** Notes what is stored of a webhook now. */
  void stored(String webhook, EventId at, long now) {
    places.put(webhook, new Place(at, at, 0, now));
  }

  /** Forgets all other webhooks. */
  void keepOnly(Collection<String> webhooks) {
    places.keySet().retainAll(webhooks);
  }

  static EventId later(EventId one, EventId other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
