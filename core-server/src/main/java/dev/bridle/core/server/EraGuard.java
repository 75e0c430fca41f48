package dev.bridle.core.server;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.EventRows;
import dev.bridle.storage.layer.Installation;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, at a start, whether events carry stamps that the engine has yet to reach: storage was put
 * back into an engine that counts from lower on, such as another cluster. Its tenants then begin a
 * new era, so that ids never repeat and never run backwards.
 */
final class EraGuard {
  private static final Logger log = LoggerFactory.getLogger(EraGuard.class);

  private final KeyValueStore store;
  private final Installation installation;
  private final EventLog eventLog;
  private final EventRows events;

  EraGuard(KeyValueStore store, Installation installation, EventLog eventLog, EventRows events) {
    this.store = store;
    this.installation = installation;
    this.eventLog = eventLog;
    this.events = events;
  }

  void check() {
    Optional<String> tenant = store.read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      if (store.read(tr -> ahead(tr, at))) {
        raise(at);
      }
      tenant = store.read(tr -> installation.tenantAfter(tr, at));
    }
  }

  private void raise(String tenant) {
    int era =
        store.transact(
            tr -> {
              int next = needed(tr, tenant);
              eventLog.raiseEra(tr, tenant, next);
              return next;
            });
    log.warn(
        "Events of tenant {} carry stamps above the store's version; its era is {} from now on.",
        tenant,
        era);
  }

  private int needed(Transaction tr, String tenant) {
    int era = eventLog.era(tr, tenant);
    return ahead(tr.snapshot(), tenant) ? highest(tr.snapshot(), tenant, era) + 1 : era;
  }

  private boolean ahead(ReadTransaction tr, String tenant) {
    if (eventLog.isClosed(tr, tenant)) {
      return false; // Its tenant is deleted; another of its name begins a new era anyway.
    }
    int era = eventLog.era(tr, tenant);
    for (int partition = 0; partition < eventLog.partitions(); partition++) {
      Optional<EventId> newest = events.newest(tr, tenant, partition);
      boolean above =
          newest
              .filter(
                  id ->
                      id.era() > era || (id.era() == era && id.commitVersion() > tr.readVersion()))
              .isPresent();
      if (above) {
        return true;
      }
    }
    return false;
  }

  private int highest(ReadTransaction tr, String tenant, int era) {
    int highest = era;
    for (int partition = 0; partition < eventLog.partitions(); partition++) {
      highest =
          Math.max(highest, events.newest(tr, tenant, partition).map(EventId::era).orElse(era));
    }
    return highest;
  }
}
