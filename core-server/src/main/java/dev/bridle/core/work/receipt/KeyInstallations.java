package dev.bridle.core.work.receipt;

import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The installations for which keys of others have signed files that were imported into any tenant.
 * A key is of the first for which it signs: a server that is trusted does not speak for another.
 */
public final class KeyInstallations {
  private final Map<String, Set<String>> byKey;

  private KeyInstallations(Map<String, Set<String>> byKey) {
    this.byKey = byKey;
  }

  /** Reads the keys of all tenants. */
  public static KeyInstallations in(
      KeyValueStore store, KeyLayout layout, Installation installation) {
    ImportedKeys keys = new ImportedKeys(layout);
    Map<String, Set<String>> byKey = new HashMap<>();
    Optional<String> tenant = store.read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      for (ReceiptKeyRecord key : store.read(tr -> keys.all(tr, at))) {
        if (!key.getInstallation().isEmpty() && ImportedKeys.isConfirmed(key)) {
          byKey.computeIfAbsent(key.getId(), id -> new HashSet<>()).add(key.getInstallation());
        }
      }
      tenant = store.read(tr -> installation.tenantAfter(tr, at));
    }
    return new KeyInstallations(byKey);
  }

  /** Returns whether a key has signed for no other installation than this one. */
  public boolean maySignFor(String keyId, String installation) {
    Set<String> known = byKey.getOrDefault(keyId, Set.of());
    return known.isEmpty() || known.contains(installation);
  }
}
