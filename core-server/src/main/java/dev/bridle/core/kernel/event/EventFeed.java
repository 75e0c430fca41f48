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

/** All that happens to a tenant, in one order, for parts of the core that go through it. */
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
   * A piece of the feed.
   *
   * @param events what is in it, but for what was imported
   * @param end where it ends
   * @param more whether there is more behind it
   */
  public record Piece(List<Event> events, EventId end, boolean more) {
    /** Copies the events. */
    public Piece {
      events = List.copyOf(events);
    }
  }

  /** Returns whether nothing comes any more: the tenant is deleted. */
  public boolean isClosed(ReadTransaction tr, String tenant) {
    return log.isClosed(tr, tenant);
  }

  /** Returns where the feed ends at the version of a transaction. */
  public EventId end(ReadTransaction tr, String tenant) {
    return EventId.lastOf(log.era(tr, tenant), tr.readVersion());
  }

  /** Returns what comes after a place, up to {@code limit} events. */
  public Piece after(ReadTransaction tr, String tenant, EventId after, int limit) {
    EventReader.News news = reader.news(tr, tenant, partitions(), after, limit);
    return new Piece(
        news.events().stream().map(LoadedEvent::event).toList(),
        news.cutAt().orElseGet(() -> end(tr, tenant)),
        news.cutAt().isPresent());
  }

  /** Returns an event, where it is still there. */
  public Optional<Event> find(ReadTransaction tr, String tenant, String id) {
    return EventId.parse(id)
        .flatMap(known -> reader.find(tr, tenant, known))
        .map(LoadedEvent::event);
  }

  /** Watches for what comes, from the version on that a transaction reads. */
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
