package dev.bridle.core.operations.retention;

import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.FeedEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A page of a tenant's log in order, over all partitions, without bodies.
 *
 * @param entries the entries, oldest first
 * @param next the id after which the next page starts; empty for the last page
 */
record FeedPage(List<FeedEntry> entries, Optional<EventId> next) {
  private static final int PER_PARTITION = 64;

  /** Reads the page after an id. */
  static FeedPage read(ReadTransaction tr, EventLog log, String tenant, Optional<EventId> after) {
    List<FeedEntry> entries = new ArrayList<>();
    Optional<EventId> end = Optional.empty();
    for (int partition = 0; partition < log.partitions(); partition++) {
      List<FeedEntry> found = log.readFeed(tr, tenant, partition, after, PER_PARTITION);
      entries.addAll(found);
      if (found.size() == PER_PARTITION) {
        EventId last = found.get(PER_PARTITION - 1).id();
        end = end.filter(before -> before.compareTo(last) <= 0).or(() -> Optional.of(last));
      }
    }
    // After the earliest end of a full part, that part may have further entries that sort earlier.
    Optional<EventId> last = end;
    List<FeedEntry> sure =
        entries.stream()
            .filter(entry -> last.isEmpty() || entry.id().compareTo(last.get()) <= 0)
            .sorted(Comparator.comparing(FeedEntry::id))
            .toList();
    return new FeedPage(sure, last);
  }
}
