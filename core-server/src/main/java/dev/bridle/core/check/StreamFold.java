package dev.bridle.core.check;

import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.EventId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is known of a stream after some of its events: what comes before never changes, so it may be
 * read in several transactions.
 *
 * @param stream the stream
 * @param next the next number of each resource that is no task, by kind and id
 * @param newest the newest event
 * @param count how many events there were
 */
record StreamFold(String stream, Map<Resource, Long> next, Optional<EventId> newest, long count) {

  /**
   * A resource that is no task.
   *
   * @param object its kind
   * @param id its id
   */
  record Resource(String object, String id) implements Comparable<Resource> {
    @Override
    public int compareTo(Resource other) {
      int byKind = object.compareTo(other.object);
      return byKind != 0 ? byKind : id.compareTo(other.id);
    }
  }

  static StreamFold of(String stream) {
    return new StreamFold(stream, new TreeMap<>(), Optional.empty(), 0);
  }

  /** Returns a copy that a transaction may add to, and begin again from the original. */
  StreamFold copy() {
    return new StreamFold(stream, new TreeMap<>(next), newest, count);
  }

  StreamFold plus(EventId id, Optional<EventRecord> event) {
    event
        .filter(read -> !EventCheck.ofTask(read))
        .ifPresent(read -> next.put(resource(read), read.getSequence() + 1));
    return new StreamFold(stream, next, Optional.of(id), count + 1);
  }

  Optional<Long> expected(EventRecord event) {
    return Optional.ofNullable(next.get(resource(event)));
  }

  private static Resource resource(EventRecord event) {
    return new Resource(event.getResourceObject(), event.getResourceId());
  }
}
