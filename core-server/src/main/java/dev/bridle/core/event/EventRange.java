package dev.bridle.core.event;

import dev.bridle.api.v1.PageInfo;
import dev.bridle.event.v1.ListEventsResponse;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads one page of events. Its cursor is the id of its last event, so that ranges and streams
 * share their cursors.
 */
final class EventRange {
  /** How many hidden events one page looks past before it ends early. */
  private static final int MAX_LOOKED_AT = 2000;

  private EventRange() {}

  static ListEventsResponse read(
      ReadTransaction tr,
      EventReader reader,
      EventScope scope,
      Optional<EventId> after,
      int limit) {
    List<LoadedEvent> rows = new ArrayList<>();
    Optional<EventId> at = after;
    long sequence =
        scope.task().isPresent() && after.isPresent()
            ? reader.sequenceAfter(tr, scope.tenant(), scope.task().get(), after.get())
            : 0;
    int lookedAt = 0;
    boolean more = true;
    while (more && rows.size() < limit && lookedAt < MAX_LOOKED_AT) {
      int wanted = limit - rows.size();
      List<LoadedEvent> found = next(tr, reader, scope, at, sequence, wanted + 1);
      more = found.size() > wanted;
      List<LoadedEvent> taken = more ? found.subList(0, wanted) : found;
      taken.stream().filter(scope::holds).forEach(rows::add);
      lookedAt += taken.size();
      sequence += taken.size();
      if (!taken.isEmpty()) {
        at = Optional.of(taken.get(taken.size() - 1).id());
      }
    }
    ListEventsResponse.Builder list = ListEventsResponse.newBuilder();
    rows.forEach(row -> list.addData(row.event()));
    PageInfo.Builder info = PageInfo.newBuilder().setHasMore(more);
    at.ifPresent(id -> info.setNextCursor(id.toString()));
    return list.setPage(info).build();
  }

  private static List<LoadedEvent> next(
      ReadTransaction tr,
      EventReader reader,
      EventScope scope,
      Optional<EventId> at,
      long sequence,
      int limit) {
    if (scope.task().isPresent()) {
      return reader.ofTask(tr, scope.tenant(), scope.task().get(), sequence, limit);
    }
    return scope.session().isPresent()
        ? reader.ofSession(tr, scope.tenant(), scope.session().get(), at, limit)
        : reader.ofTenant(tr, scope.tenant(), at, limit);
  }
}
