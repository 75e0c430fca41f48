package dev.bridle.core.operations.check.log;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.walk.Walk;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that a stream's stored newest event and counters match its events. Values behind the
 * events are repaired. Values ahead of them are not: they indicate lost events, whose numbers would
 * be assigned again.
 */
final class StreamEndCheck {
  /** The maximum number of rows that are read backwards to find a resource's newest event. */
  private static final int LOOKED_BACK = 2000;

  private static final int COUNTERS_AT_ONCE = 200;

  private final CheckScope scope;
  private final LogRows log;

  StreamEndCheck(CheckScope scope) {
    this.scope = scope;
    this.log = new LogRows(scope);
  }

  /** Checks streams whose events have all been read. */
  void check(List<StreamFold> ended) {
    suspect(
        ended.stream().filter(fold -> !newestIsProven(fold.stream())).toList(),
        (tr, fold) -> newest(tr, fold.stream()));
    List<Counter> counters = new ArrayList<>();
    for (StreamFold fold : ended) {
      fold.next()
          .forEach(
              (resource, next) -> {
                if (!isProven(resource)) {
                  counters.add(new Counter(fold, resource, next));
                }
              });
    }
    for (int at = 0; at < counters.size(); at += COUNTERS_AT_ONCE) {
      suspect(
          counters.subList(at, Math.min(counters.size(), at + COUNTERS_AT_ONCE)), this::counter);
    }
  }

  private boolean newestIsProven(String stream) {
    return scope.proofs().newest().proves(Proofs.hash(scope.tenant(), stream));
  }

  private boolean isProven(StreamFold.Resource resource) {
    long hash = Proofs.resource(scope.tenant(), resource.object(), resource.id());
    return scope.proofs().counters().proves(hash);
  }

  /** Checks one item in a transaction that it shares with others. */
  private interface Look<T> {
    Optional<Fault> at(ReadTransaction tr, T thing);
  }

  private <T> void suspect(List<T> things, Look<T> look) {
    if (things.isEmpty()) {
      return;
    }
    scope
        .findings()
        .suspectAll(
            scope
                .store()
                .read(
                    tr -> things.stream().flatMap(thing -> look.at(tr, thing).stream()).toList()));
  }

  private Optional<Fault> newest(ReadTransaction tr, String stream) {
    Optional<EventId> newest = log.newest(tr, stream);
    Optional<EventId> kept = newestKept(tr, stream);
    if (newest.isEmpty() || kept.equals(newest)) {
      return Optional.empty(); // Without events: checked by StreamMetadataCheck.
    }
    Fault fault =
        Fault.of(
            FaultKind.LAST_EVENT_WRONG,
            scope.tenant(),
            stream,
            "The newest event of the stream is "
                + newest.get()
                + ", but "
                + kept.map(EventId::toString).orElse("none")
                + " is stored as the newest.");
    return Optional.of(
        ahead(kept, newest.get())
            ? fault
            : fault.repairedBy(
                again -> {
                  Optional<EventId> is = log.newest(again, stream);
                  Optional<EventId> recorded = newestKept(again, stream);
                  return is.isPresent() && !recorded.equals(is) && !ahead(recorded, is.get());
                },
                again ->
                    log.newest(again, stream)
                        .ifPresent(id -> again.set(log.last(stream), scope.rows().value(id)))));
  }

  private static boolean ahead(Optional<EventId> kept, EventId newest) {
    return kept.filter(id -> id.compareTo(newest) > 0).isPresent();
  }

  private Optional<EventId> newestKept(ReadTransaction tr, String stream) {
    return tr.get(log.last(stream)).flatMap(scope.rows()::eventId);
  }

  /**
   * A counter that is derived from the events of its stream.
   *
   * @param fold the stream
   * @param resource the resource whose events are counted
   * @param next the sequence number after that of its newest event
   */
  private record Counter(StreamFold fold, StreamFold.Resource resource, long next) {}

  private Optional<Fault> counter(ReadTransaction tr, Counter counter) {
    long kept = kept(tr, counter);
    if (kept == counter.next()) {
      return Optional.empty();
    }
    StreamFold.Resource resource = counter.resource();
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
                + counter.next()
                + ".");
    return Optional.of(
        kept > counter.next()
            ? fault.when(
                again ->
                    derived(again, counter).filter(is -> kept(again, counter) > is).isPresent())
            : fault.repairedBy(
                again ->
                    derived(again, counter).filter(is -> kept(again, counter) < is).isPresent(),
                again ->
                    derived(again, counter)
                        .ifPresent(
                            is ->
                                again.set(
                                    log.counter(resource.object(), resource.id()),
                                    ByteBuffer.allocate(Long.BYTES).putLong(is).array()))));
  }

  private long kept(ReadTransaction tr, Counter counter) {
    return tr.get(log.counter(counter.resource().object(), counter.resource().id()))
        .filter(value -> value.length == Long.BYTES)
        .map(value -> ByteBuffer.wrap(value).getLong())
        .orElse(0L);
  }

  /**
   * Returns the sequence number after that of the resource's newest event, searching backwards from
   * the end. If the stream has not grown, the value read before still holds.
   */
  private Optional<Long> derived(ReadTransaction tr, Counter counter) {
    StreamFold fold = counter.fold();
    KeyRange rest = scope.rows().eventKeys().bodyRange(scope.tenant(), fold.stream());
    int seen = 0;
    List<KeyValue> back = tr.getRange(rest, Walk.PAGE, true);
    while (!back.isEmpty() && seen < LOOKED_BACK) {
      for (KeyValue row : back) {
        Optional<EventRecord> event =
            scope
                .rows()
                .parse(row.key())
                .filter(key -> key.items().size() == 3)
                .flatMap(key -> log.parse(tr, row.key(), row.value()))
                .filter(is -> of(is, counter.resource()));
        if (event.isPresent()) {
          return Optional.of(event.get().getSequence() + 1);
        }
      }
      seen += back.size();
      rest = new KeyRange(rest.begin(), back.get(back.size() - 1).key());
      back = tr.getRange(rest, Walk.PAGE, true);
    }
    return fold.newest().isPresent() && fold.newest().equals(log.newest(tr, fold.stream()))
        ? Optional.of(counter.next())
        : Optional.empty();
  }

  private static boolean of(EventRecord event, StreamFold.Resource resource) {
    return event.getResourceObject().equals(resource.object())
        && event.getResourceId().equals(resource.id());
  }
}
