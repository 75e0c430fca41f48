package dev.bridle.core.work.receipt;

import dev.bridle.proof.key.VerificationKey;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What any tenant knows of compromises of keys of other installations: a tenant that is made later
 * trusts such a key no more than the others do.
 */
public final class CompromisedKeys {
  private final Map<String, ReceiptKeyRecord> byId;

  private CompromisedKeys(Map<String, ReceiptKeyRecord> byId) {
    this.byId = byId;
  }

  /** Reads the keys of all tenants. */
  public static CompromisedKeys in(
      KeyValueStore store, KeyLayout layout, Installation installation) {
    ImportedKeys keys = new ImportedKeys(layout);
    Map<String, ReceiptKeyRecord> byId = new HashMap<>();
    Optional<String> tenant = store.read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      for (ReceiptKeyRecord key : store.read(tr -> keys.all(tr, at))) {
        if (key.getCompromisedSince() != 0 && ImportedKeys.isConfirmed(key)) {
          byId.merge(key.getId(), key, CompromisedKeys::earlier);
        }
      }
      tenant = store.read(tr -> installation.tenantAfter(tr, at));
    }
    return new CompromisedKeys(Map.copyOf(byId));
  }

  private static ReceiptKeyRecord earlier(ReceiptKeyRecord one, ReceiptKeyRecord other) {
    return one.getCompromisedSince() <= other.getCompromisedSince() ? one : other;
  }

  /** Returns the declaration about a key; empty if there is none. */
  public Optional<ReceiptKeyRecord> of(String keyId) {
    return Optional.ofNullable(byId.get(keyId));
  }

  /** Returns a key with what is known of it. */
  public VerificationKey applied(VerificationKey key) {
    return of(key.id())
        .map(
            known ->
                VerificationKey.of(
                    key.publicKey(),
                    ReceiptKeys.compromised(
                        key.validity().undisputed(),
                        known.getDeclaredAt(),
                        known.getCompromisedSince())))
        .orElse(key);
  }
}
