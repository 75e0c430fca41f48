package dev.bridle.core.work.receipt;

import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The installations for which keys of others have signed files that were imported into any tenant.
 * A key is of the first for which it signs, for good: a server that is trusted does not speak for
 * another.
 */
public final class KeyInstallations {
  /** Operators have given each of them. */
  private static final int MOST = 100_000;

  private final Map<String, String> kept;
  private final Map<String, Set<String>> ofTenants;

  private KeyInstallations(Map<String, String> kept, Map<String, Set<String>> ofTenants) {
    this.kept = kept;
    this.ofTenants = ofTenants;
  }

  /** Reads what is kept for all tenants, and what earlier releases have kept in each. */
  public static KeyInstallations in(
      KeyValueStore store, KeyLayout layout, Installation installation) {
    ImportedKeys keys = new ImportedKeys(layout);
    Map<String, Set<String>> byKey = new HashMap<>();
    Optional<String> tenant = store.read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      store.read(tr -> keys.all(tr, at)).forEach(key -> add(byKey, key));
      tenant = store.read(tr -> installation.tenantAfter(tr, at));
    }
    return new KeyInstallations(store.read(tr -> installation.keyInstallations(tr, MOST)), byKey);
  }

  /** Reads what is kept for all tenants, and what earlier releases have kept in one. */
  public static KeyInstallations of(ReadTransaction tr, KeyLayout layout, String tenant) {
    Map<String, Set<String>> byKey = new HashMap<>();
    new ImportedKeys(layout).all(tr, tenant).forEach(key -> add(byKey, key));
    return new KeyInstallations(new Installation(layout).keyInstallations(tr, MOST), byKey);
  }

  private static void add(Map<String, Set<String>> byKey, ReceiptKeyRecord key) {
    if (!key.getInstallation().isEmpty() && ImportedKeys.isConfirmed(key)) {
      byKey.computeIfAbsent(key.getId(), id -> new HashSet<>()).add(key.getInstallation());
    }
  }

  /**
   * Binds a key to the installation for which it has signed a file that is verified.
   *
   * @return whether it is of this one; else nothing has changed
   */
  public static boolean bind(
      Transaction tr, Installation installation, String keyId, String signedFor) {
    Optional<String> before = installation.keyInstallation(tr, keyId);
    if (before.isEmpty()) {
      installation.putKeyInstallation(tr, keyId, signedFor);
    }
    return before.filter(one -> !one.equals(signedFor)).isEmpty();
  }

  /** Returns whether a key has signed for no other installation than this one. */
  public boolean maySignFor(String keyId, String installation) {
    if (kept.containsKey(keyId)) {
      return isOf(keyId, installation);
    }
    Set<String> known = ofTenants.getOrDefault(keyId, Set.of());
    return known.isEmpty() || known.contains(installation);
  }

  /** Returns whether a key is bound to an installation. */
  boolean isOf(String keyId, String installation) {
    return installation.equals(kept.get(keyId));
  }
}
