package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.due.DueHandler;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes due entries to the handlers of their kinds. */
final class Sweeper {
  static final String ACTOR = "bridle";

  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
  private static final int BATCH = 200;

  /** The other shards wait for one. */
  private static final int MOST_PAGES = 20;

  private static final Duration STALL = Duration.ofSeconds(2);

  private final CoreContext context;
  private final Map<DueKind, DueHandler> handlers;
  private final LeaseExpiry leases;

  /** Entries that are known to fail. Used by sweeps alone, of which one runs at a time. */
  private final Set<DueEntry> poisoned = new HashSet<>();

  /**
   * Creates the sweeper.
   *
   * @param handlers one for each kind of entry
   * @param leases notified when the store was too slow or too full to store heartbeats
   */
  Sweeper(CoreContext context, Map<DueKind, DueHandler> handlers, LeaseExpiry leases) {
    if (!handlers.keySet().equals(Set.of(DueKind.values()))) {
      throw new IllegalArgumentException(
          "every kind of due entry needs a handler; there are: " + handlers.keySet());
    }
    this.context = context;
    this.handlers = Map.copyOf(handlers);
    this.leases = leases;
  }

  /** Handles everything that is due now, once. */
  void sweep() {
    for (int shard = 0; shard < DueIndex.SHARDS; shard++) {
      sweep(shard, context.clock().millis());
    }
  }

  /** What stays due does not keep what lies behind it from being handled. */
  private void sweep(int shard, long until) {
    List<DueEntry> last = List.of();
    for (int page = 0; page < MOST_PAGES; page++) {
      List<DueEntry> after = last;
      List<DueEntry> entries =
          context.store().read(tr -> context.due().due(tr, shard, after, until, BATCH));
      entries.forEach(this::handle);
      if (entries.size() < BATCH) {
        return;
      }
      last = List.of(entries.get(BATCH - 1));
    }
  }

  private void handle(DueEntry entry) {
    long began = context.environment().nanoTime().getAsLong();
    try {
      handlers.get(entry.kind()).handle(entry);
    } catch (StoreException e) {
      FailureLog.warn(log, "Handling a due " + entry.kind() + " failed; it is retried.", e);
      if (e.code() == StoreException.Code.DISK_LOW) {
        leases.forgetMissedHeartbeats(); // Heartbeats were rejected for the same reason.
      }
    } catch (RuntimeException e) {
      // A failing entry must neither block the entries behind it nor fill the log at each sweep.
      if (poisoned.size() < BATCH && poisoned.add(entry)) {
        log.error("Handling {} failed unexpectedly; it stays due.", entry, e);
      }
    }
    if (context.environment().nanoTime().getAsLong() - began > STALL.toNanos()) {
      leases.forgetMissedHeartbeats(); // No heartbeats could be stored either.
    }
  }
}
