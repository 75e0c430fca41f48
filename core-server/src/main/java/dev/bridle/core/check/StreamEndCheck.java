package dev.bridle.core.check;

import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is kept of a stream beside its events is what its events tell. */
final class StreamEndCheck {
  /** Rows that a repair looks back through for the newest event of a resource. */
  private static final int LOOKED_BACK = 2000;

  private final CheckScope scope;
  private final LogRows log;

  StreamEndCheck(CheckScope scope) {
    this.scope = scope;
    this.log = new LogRows(scope);
  }

  /** Looks at a stream whose last event has been read in the same transaction. */
  List<Fault> check(ReadTransaction tr, StreamFold fold) {
    List<Fault> faults = new ArrayList<>();
    String stream = fold.stream();
    if (fold.newest().filter(id -> log.dropped(tr, stream, id)).isPresent()) {
      return faults; // Retention has passed by meanwhile, and all that was known is gone.
    }
    if (!newestKept(tr, stream).equals(fold.newest())) {
      faults.add(
          Fault.of(
                  FaultKind.LAST_EVENT_WRONG,
                  scope.tenant(),
                  stream,
                  "The newest event of the stream is "
                      + fold.newest().map(EventId::toString).orElse("none")
                      + ", but another is kept as such.")
              .mendedBy(
                  again -> {
                    Optional<EventId> newest = log.newest(again, stream);
                    return newest.isPresent() && !newestKept(again, stream).equals(newest);
                  },
                  again ->
                      log.newest(again, stream)
                          .ifPresent(id -> again.set(log.last(stream), scope.rows().value(id)))));
    }
    fold.next()
        .forEach(
            (resource, next) -> {
              if (counter(tr, resource) != next) {
                faults.add(wrongCounter(stream, resource, counter(tr, resource), next));
              }
            });
    return faults;
  }

  private Optional<EventId> newestKept(ReadTransaction tr, String stream) {
    return tr.get(log.last(stream)).flatMap(scope.rows()::eventId);
  }

  private Fault wrongCounter(String stream, StreamFold.Resource resource, long kept, long next) {
    Fault fault =
        Fault.of(
            FaultKind.COUNTER_WRONG,
            scope.tenant(),
            resource.id(),
            "The next event of the "
                + resource.object()
                + " would be number "
                + kept
                + ", but its log goes on with "
                + next
                + ".");
    return fault.mendedBy(
        again ->
            derived(again, stream, resource)
                .filter(is -> is != counter(again, resource))
                .isPresent(),
        again ->
            derived(again, stream, resource)
                .ifPresent(
                    is ->
                        again.set(
                            log.counter(resource.object(), resource.id()),
                            ByteBuffer.allocate(Long.BYTES).putLong(is).array())));
  }

  private long counter(ReadTransaction tr, StreamFold.Resource resource) {
    return tr.get(log.counter(resource.object(), resource.id()))
        .filter(value -> value.length == Long.BYTES)
        .map(value -> ByteBuffer.wrap(value).getLong())
        .orElse(0L);
  }

  /** Returns the number after that of the resource's newest event, looking back from the end. */
  private Optional<Long> derived(ReadTransaction tr, String stream, StreamFold.Resource resource) {
    List<KeyValue> back =
        tr.getRange(
            scope.rows().below(scope.tenant(), TenantSpace.EVENT, stream), LOOKED_BACK, true);
    for (KeyValue row : back) {
      Optional<EventRecord> event =
          scope
              .rows()
              .parse(row.key())
              .filter(key -> key.items().size() == 3)
              .flatMap(key -> log.parse(tr, row.key(), row.value()));
      if (event.isPresent()
          && event.get().getResourceObject().equals(resource.object())
          && event.get().getResourceId().equals(resource.id())) {
        return Optional.of(event.get().getSequence() + 1);
      }
    }
    return Optional.empty();
  }
}
