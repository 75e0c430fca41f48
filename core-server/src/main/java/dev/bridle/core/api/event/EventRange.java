package dev.bridle.core.api.event;

import dev.bridle.api.v1.PageInfo;
import dev.bridle.core.kernel.event.EventReader;
import dev.bridle.core.kernel.event.LoadedEvent;
import dev.bridle.event.v1.ListEventsResponse;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import java.util.List;
import java.util.Optional;

/**
 * Reads one page of events. Its cursor is the id of its last event, so that ranges and streams
 * share their cursors; at the end there is none.
 */
final class EventRange {
  /** The minimum number of events to read in one transaction when many of them may be hidden. */
  private static final int LOOKED_AT = 200;

  private EventRange() {}

  /**
   * Reads up to {@code limit} events in one transaction. Returns fewer, with {@code has_more} set,
   * if many of the events read are hidden from the caller.
   */
  static ListEventsResponse read(
      ReadTransaction tr,
      EventReader reader,
      EventScope scope,
      Optional<EventId> after,
      int limit) {
    int look = scope.hidesNothing() ? limit : Math.max(limit, LOOKED_AT);
    EventReader.Loaded loaded = next(tr, reader, scope, after, look + 1);
    List<LoadedEvent> found = loaded.events();
    ListEventsResponse.Builder list = ListEventsResponse.newBuilder();
    Optional<EventId> at = after;
    int looked = 0;
    while (looked < Math.min(look, found.size()) && list.getDataCount() < limit) {
      LoadedEvent event = found.get(looked++);
      at = Optional.of(event.id());
      if (scope.holds(event)) {
        list.addData(event.event());
      }
    }
    boolean more = looked < found.size() || loaded.cut();
    PageInfo.Builder info = PageInfo.newBuilder().setHasMore(more);
    at.filter(id -> more).ifPresent(id -> info.setNextCursor(id.toString()));
    return list.setPage(info).build();
  }

  private static EventReader.Loaded next(
      ReadTransaction tr,
      EventReader reader,
      EventScope scope,
      Optional<EventId> after,
      int limit) {
    if (scope.task().isPresent()) {
      long sequence =
          after.isPresent()
              ? reader.sequenceAfter(tr, scope.tenant(), scope.task().get(), after.get())
              : 0;
      return reader.ofTask(tr, scope.tenant(), scope.task().get(), sequence, limit);
    }
    return scope.session().isPresent()
        ? reader.ofSession(tr, scope.tenant(), scope.session().get(), after, limit)
        : reader.ofTenant(tr, scope.tenant(), after, limit);
  }
}
