package dev.bridle.core.server;

import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Notifies one listener of created and deleted tenants: at once where this process creates them,
 * otherwise when {@link #look} compares with storage.
 */
final class TenantWatch {
  private final Set<String> known = new TreeSet<>();
  private final List<TenantListener> listeners = new ArrayList<>();

  /** Adds a listener, which hears of the known tenants at once; returns whether it is the first. */
  synchronized boolean listen(TenantListener to) {
    listeners.add(to);
    known.forEach(to::there);
    return listeners.size() == 1;
  }

  synchronized void made(String tenant) {
    if (!listeners.isEmpty() && known.add(tenant)) {
      listeners.forEach(listener -> listener.there(tenant));
    }
  }

  /** Compares with what is stored. */
  synchronized void look(KeyValueStore store, Installation installation, Tenants tenants) {
    if (listeners.isEmpty()) {
      return;
    }
    for (Iterator<String> all = known.iterator(); all.hasNext(); ) {
      String tenant = all.next();
      if (!tenants.isThere(tenant)) {
        all.remove();
        listeners.forEach(listener -> listener.gone(tenant));
      }
    }
    Optional<String> next = store.read(tr -> installation.tenantAfter(tr, ""));
    while (next.isPresent()) {
      String tenant = next.get();
      if (tenants.isThere(tenant)) {
        made(tenant);
      }
      next = store.read(tr -> installation.tenantAfter(tr, tenant));
    }
  }
}
