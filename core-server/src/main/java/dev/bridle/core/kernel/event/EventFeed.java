package dev.bridle.core.kernel.event;

import dev.bridle.event.v1.Event;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.WakeKeys;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** All events of a tenant in one order, for components that process them. */
public final class EventFeed {
  private final EventLog log;
  private final EventReader reader;
  private final WakeKeys wakes;

  public EventFeed(EventLog log, WakeKeys wakes) {
    this.log = log;
    this.reader = new EventReader(log);
    this.wakes = wakes;
  }

  /**
   * A batch of the feed.
   *
   * @param events its events, without imported ones
   * @param end its end position
   * @param more whether more events follow
   */
  public record Batch(List<Event> events, EventId end, boolean more) {
    /** Copies the events. */
    public Batch {
      events = List.copyOf(events);
    }
  }

  /** Returns whether the log is closed because the tenant is deleted. */
  public boolean isClosed(ReadTransaction tr, String tenant) {
    return log.isClosed(tr, tenant);
  }

  /** Returns the end position of the feed at the read version of a transaction. */
  public EventId end(ReadTransaction tr, String tenant) {
    return EventId.lastOf(log.era(tr, tenant), tr.readVersion());
  }

  /** Returns up to {@code limit} events after a position. */
  public Batch after(ReadTransaction tr, String tenant, EventId after, int limit) {
    EventReader.NewEvents newEvents = reader.newEvents(tr, tenant, partitions(), after, limit);
    return new Batch(
        newEvents.events().stream().map(LoadedEvent::event).toList(),
        newEvents.cutAt().orElseGet(() -> end(tr, tenant)),
        newEvents.cutAt().isPresent());
  }

  /** Returns an event, if it is still stored. */
  public Optional<Event> find(ReadTransaction tr, String tenant, String id) {
    return EventId.parse(id)
        .flatMap(known -> reader.find(tr, tenant, known))
        .map(LoadedEvent::event);
  }

  /** Watches for events that commit after the read version of a transaction. */
  public List<CompletableFuture<Void>> watch(Transaction tr, String tenant) {
    return partitions().stream()
        .map(partition -> wakes.ofEvents(tenant, partition))
        .distinct()
        .map(slot -> wakes.watch(tr, slot))
        .toList();
  }

  private List<Integer> partitions() {
    return IntStream.range(0, log.partitions()).boxed().toList();
  }
}
