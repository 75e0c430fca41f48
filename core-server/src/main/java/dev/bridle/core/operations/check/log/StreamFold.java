package dev.bridle.core.operations.check.log;

import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.EventId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The state of a stream after some of its events. Events never change, so they may be read in
 * several transactions. What a transaction adds is kept apart until it has ended, since it may be
 * retried.
 *
 * @param stream the stream
 * @param next the next sequence number of each resource other than tasks, by kind and id
 * @param added the same for the resources that the current transaction has read
 * @param newest the newest event
 */
record StreamFold(
    String stream, Map<Resource, Long> next, Map<Resource, Long> added, Optional<EventId> newest) {

  /**
   * A resource other than a task.
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
    return new StreamFold(stream, new TreeMap<>(), new TreeMap<>(), Optional.empty());
  }

  /** Returns the state at the start of a transaction. */
  StreamFold begin() {
    return new StreamFold(stream, next, new TreeMap<>(), newest);
  }

  /** Returns the state with what the ended transaction has added. */
  StreamFold settle() {
    next.putAll(added);
    return begin();
  }

  StreamFold plus(EventId id, Optional<EventRecord> event) {
    event
        .filter(read -> !EventCheck.ofTask(read))
        .ifPresent(read -> added.put(resource(read), read.getSequence() + 1));
    return new StreamFold(stream, next, added, Optional.of(id));
  }

  Optional<Long> expected(EventRecord event) {
    Resource resource = resource(event);
    return Optional.ofNullable(added.get(resource))
        .or(() -> Optional.ofNullable(next.get(resource)));
  }

  private static Resource resource(EventRecord event) {
    return new Resource(event.getResourceObject(), event.getResourceId());
  }
}
