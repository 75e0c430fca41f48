package dev.bridle.core.server;

import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Notifies one listener of created and deleted tenants: at once where this process creates them,
 * otherwise when {@link #look} compares with storage.
 */
final class TenantWatch {
  private final Set<String> known = new TreeSet<>();
  private Optional<TenantListener> listener = Optional.empty();

  synchronized void listen(TenantListener to) {
    listener = Optional.of(to);
  }

  synchronized void made(String tenant) {
    if (listener.isPresent() && known.add(tenant)) {
      listener.get().there(tenant);
    }
  }

  /** Compares with what is stored. */
  synchronized void look(KeyValueStore store, Installation installation, Tenants tenants) {
    if (listener.isEmpty()) {
      return;
    }
    for (Iterator<String> all = known.iterator(); all.hasNext(); ) {
      String tenant = all.next();
      if (!tenants.isThere(tenant)) {
        all.remove();
        listener.get().gone(tenant);
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
