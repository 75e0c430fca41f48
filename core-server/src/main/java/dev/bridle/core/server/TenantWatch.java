package dev.bridle.core.server;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Tells one listener each tenant once: those that there are, then those that are made. */
final class TenantWatch {
  private final Set<String> told = new HashSet<>();
  private Optional<Consumer<String>> listener = Optional.empty();

  synchronized void listen(Consumer<String> to, KeyValueStore store, Installation installation) {
    listener = Optional.of(to);
    Optional<String> tenant = store.read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      made(at);
      tenant = store.read(tr -> installation.tenantAfter(tr, at));
    }
  }

  synchronized void made(String tenant) {
    if (listener.isPresent() && told.add(tenant)) {
      listener.get().accept(tenant);
    }
  }
}
