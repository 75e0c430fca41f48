package dev.bridle.gateway.stream;

import dev.bridle.event.v1.Event;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * The newest events in one encoding, so that an event which many streams send is encoded once. A
 * core in this process hands the same object to all readers that may see the event, so an event is
 * found by its identity alone. Large events are encoded for each stream. Thread-safe.
 *
 * @param <T> an immutable encoding
 */
public final class EncodedEvents<T> {
  private static final int SLOTS = 128;
  private static final int MAX_PAYLOAD_BYTES = 4 << 10;

  private final Function<Event, T> encoding;
  private final AtomicReferenceArray<Encoded<T>> newest = new AtomicReferenceArray<>(SLOTS);

  private record Encoded<T>(Event event, T bytes) {}

  /** Encodes events with {@code encoding}. */
  public EncodedEvents(Function<Event, T> encoding) {
    this.encoding = encoding;
  }

  /** Returns an event in this encoding. */
  @SuppressWarnings("ReferenceEquality") // Another object may be another tenant's event.
  public T of(Event event) {
    int slot = System.identityHashCode(event) % SLOTS;
    Encoded<T> found = newest.get(slot);
    if (found != null && found.event() == event) {
      return found.bytes();
    }
    T bytes = encoding.apply(event);
    if (event.getPayload().size() <= MAX_PAYLOAD_BYTES) {
      newest.set(slot, new Encoded<>(event, bytes));
    }
    return bytes;
  }
}
