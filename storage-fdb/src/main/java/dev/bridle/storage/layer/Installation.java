package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;
import java.util.function.Supplier;

/** What belongs to the installation and to no tenant's content: secrets, credentials, tenants. */
public final class Installation {
  private static final String MASTER_KEY = "master-key";
  private static final String WORKSPACE_ROOT = "workspace-root";

  private final KeyLayout layout;

  public Installation(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns a secret of the installation, made once by whoever asks first. */
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

  /** Returns which master key has sealed values; empty where nothing has been sealed. */
  public Optional<byte[]> masterKey(ReadTransaction tr) {
    return tr.get(masterKeyKey());
  }

  /** Says which master key seals values. */
  public void putMasterKey(Transaction tr, byte[] record) {
    tr.set(masterKeyKey(), record);
  }

  private byte[] masterKeyKey() {
    return layout.key(layout.system(SystemSpace.INSTALLATION).add(MASTER_KEY));
  }

  /** Returns the mark of the folder that workspaces may have folders in; empty before its first. */
  public Optional<byte[]> workspaceRoot(ReadTransaction tr) {
    return tr.get(layout.key(layout.system(SystemSpace.INSTALLATION).add(WORKSPACE_ROOT)));
  }

  /** Keeps the mark of that folder where none is kept, and returns the one that is. */
  public byte[] keepWorkspaceRoot(Transaction tr, byte[] mark) {
    Optional<byte[]> kept = workspaceRoot(tr);
    if (kept.isPresent()) {
      return kept.get();
    }
    tr.set(layout.key(layout.system(SystemSpace.INSTALLATION).add(WORKSPACE_ROOT)), mark);
    return mark;
  }

  /** Returns whose a credential is. */
  public Optional<byte[]> credential(ReadTransaction tr, byte[] secretHash) {
    return tr.get(credentialKey(secretHash));
  }

  /** Returns whether there is any credential. */
  public boolean hasCredentials(ReadTransaction tr) {
    KeyRange all = layout.children(layout.system(SystemSpace.CREDENTIAL));
    return !tr.getRange(all, 1).isEmpty();
  }

  /** Says whose a credential is. */
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

  /** Ends a credential. */
  public void removeCredential(Transaction tr, byte[] secretHash) {
    tr.clear(credentialKey(secretHash));
  }

  private byte[] credentialKey(byte[] secretHash) {
    return layout.key(layout.system(SystemSpace.CREDENTIAL).add(secretHash));
  }
}
