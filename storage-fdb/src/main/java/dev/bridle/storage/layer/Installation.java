package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What belongs to the installation and to no tenant's content: format version, secrets,
 * credentials, tenants.
 */
public final class Installation {
  /** The version of the stored format. A server refuses data of a later one. */
  public static final int FORMAT = 1;

  private final KeyLayout layout;

  public Installation(KeyLayout layout) {
    this.layout = layout;
  }

  /** Marks new storage with the format version, and refuses storage of a later one. */
  public void checkFormat(KeyValueStore store) {
    byte[] key = layout.key(layout.system(SystemSpace.FORMAT));
    long found =
        store.transact(
            tr -> {
              Optional<byte[]> stored = tr.get(key);
              if (stored.isEmpty()) {
                tr.set(key, Tuple.from(FORMAT).pack());
              }
              return stored.map(value -> Tuple.fromBytes(value).getLong(0)).orElse((long) FORMAT);
            });
    if (found > FORMAT) {
      throw new IllegalStateException(
          "the stored data has format "
              + found
              + ", this server knows formats up to "
              + FORMAT
              + ": use the newer Bridle that wrote it");
    }
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

  /** Returns whose a credential is. */
  public Optional<byte[]> credential(ReadTransaction tr, byte[] secretHash) {
    return tr.get(credentialKey(secretHash));
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
