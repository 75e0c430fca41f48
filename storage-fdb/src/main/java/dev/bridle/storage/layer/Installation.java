package dev.bridle.storage.layer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Stores data of the installation outside of tenants' content: secrets, credentials, tenants. */
public final class Installation {
  private static final String MASTER_KEY = "master-key";
  private static final String WORKSPACE_ROOT = "workspace-root";

  private final KeyLayout layout;

  public Installation(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns a secret of the installation; the first call generates it. */
  public byte[] secret(KeyValueStore store, String name, Supplier<byte[]> make) {
    byte[] made = make.get();
    byte[] key = layout.key(layout.system(SystemSpace.INSTALLATION).add(name));
    return store.transact(
        tr ->
            tr.get(key)
                .orElseGet(
                    () -> {
                      tr.set(key, made);
                      return made;
                    }));
  }

  /** Returns the record of the master key in use; empty if nothing has been sealed. */
  public Optional<byte[]> masterKey(ReadTransaction tr) {
    return tr.get(masterKeyKey());
  }

  /** Stores the record of the master key in use. */
  public void putMasterKey(Transaction tr, byte[] record) {
    tr.set(masterKeyKey(), record);
  }

  /** Returns the records of keys of other installations that are known to be compromised. */
  public List<byte[]> compromisedKeys(ReadTransaction tr, int limit) {
    Tuple all = layout.system(SystemSpace.COMPROMISED_KEY);
    return tr.getRange(layout.children(all), limit).stream().map(KeyValue::value).toList();
  }

  /** Returns the record of a key of another installation, if that is known to be compromised. */
  public Optional<byte[]> compromisedKey(ReadTransaction tr, String id) {
    return tr.get(layout.key(layout.system(SystemSpace.COMPROMISED_KEY).add(id)));
  }

  /** Stores the record of a key of another installation that is compromised. */
  public void putCompromisedKey(Transaction tr, String id, byte[] record) {
    tr.set(layout.key(layout.system(SystemSpace.COMPROMISED_KEY).add(id)), record);
  }

  /** Returns the installations of keys that have signed verified files, by the keys' ids. */
  public Map<String, String> keyInstallations(ReadTransaction tr, int limit) {
    Tuple all = layout.system(SystemSpace.KEY_INSTALLATION);
    Map<String, String> byKey = new HashMap<>();
    for (KeyValue row : tr.getRange(layout.children(all), limit)) {
      byKey.put(layout.unpack(row.key()).getString(all.size()), new String(row.value(), UTF_8));
    }
    return byKey;
  }

  /** Returns the installation of a key; empty if it has signed no verified file. */
  public Optional<String> keyInstallation(ReadTransaction tr, String keyId) {
    return tr.get(keyInstallationKey(keyId)).map(value -> new String(value, UTF_8));
  }

  /** Stores the installation of a key. */
  public void putKeyInstallation(Transaction tr, String keyId, String installation) {
    tr.set(keyInstallationKey(keyId), installation.getBytes(UTF_8));
  }

  private byte[] keyInstallationKey(String keyId) {
    return layout.key(layout.system(SystemSpace.KEY_INSTALLATION).add(keyId));
  }

  private byte[] masterKeyKey() {
    return layout.key(layout.system(SystemSpace.INSTALLATION).add(MASTER_KEY));
  }

  /** Returns the marker of the workspace root; empty if there is none yet. */
  public Optional<byte[]> workspaceRoot(ReadTransaction tr) {
    return tr.get(layout.key(layout.system(SystemSpace.INSTALLATION).add(WORKSPACE_ROOT)));
  }

  /** Stores the marker of the workspace root unless one is stored, and returns the stored one. */
  public byte[] keepWorkspaceRoot(Transaction tr, byte[] mark) {
    Optional<byte[]> kept = workspaceRoot(tr);
    if (kept.isPresent()) {
      return kept.get();
    }
    tr.set(layout.key(layout.system(SystemSpace.INSTALLATION).add(WORKSPACE_ROOT)), mark);
    return mark;
  }

  /** Returns the record of a credential. */
  public Optional<byte[]> credential(ReadTransaction tr, byte[] secretHash) {
    return tr.get(credentialKey(secretHash));
  }

  /** Returns whether there is any credential. */
  public boolean hasCredentials(ReadTransaction tr) {
    KeyRange all = layout.children(layout.system(SystemSpace.CREDENTIAL));
    return !tr.getRange(all, 1).isEmpty();
  }

  /** Stores the record of a credential. */
  public void putCredential(Transaction tr, byte[] secretHash, byte[] record) {
    tr.set(credentialKey(secretHash), record);
  }

  /** Returns a tenant's record. */
  public Optional<byte[]> tenant(ReadTransaction tr, String tenant) {
    return tr.get(layout.key(layout.tenant(tenant, TenantSpace.TENANT)));
  }

  /** Stores a tenant's record. */
  public void putTenant(Transaction tr, String tenant, byte[] record) {
    tr.set(layout.key(layout.tenant(tenant, TenantSpace.TENANT)), record);
  }

  /** Returns the first tenant after {@code tenant} in name order; deleted ones are left out. */
  public Optional<String> tenantAfter(ReadTransaction tr, String tenant) {
    Tuple all = layout.tenants();
    Optional<String> next = Optional.of(tenant);
    do {
      KeyRange range = layout.childrenAfter(all, all.add(next.get()));
      next =
          tr.getRange(range, 1).stream()
              .findFirst()
              .map(row -> layout.unpack(row.key()).getString(1));
    } while (next.isPresent() && tenant(tr, next.get()).isEmpty());
    return next;
  }

  /** Removes a credential. */
  public void removeCredential(Transaction tr, byte[] secretHash) {
    tr.clear(credentialKey(secretHash));
  }

  private byte[] credentialKey(byte[] secretHash) {
    return layout.key(layout.system(SystemSpace.CREDENTIAL).add(secretHash));
  }
}
