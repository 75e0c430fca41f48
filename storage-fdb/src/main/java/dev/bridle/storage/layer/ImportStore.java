package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.List;
import java.util.Optional;

/** Stores the progress of imports: {@code tenant / IMPORT / SHA-256 of the file → record}. */
public final class ImportStore {
  private final KeyLayout layout;

  public ImportStore(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns the record of an import. */
  public Optional<byte[]> find(ReadTransaction tr, String tenant, byte[] file) {
    return tr.get(key(tenant, file));
  }

  /** Stores the progress of an import. */
  public void put(Transaction tr, String tenant, byte[] file, byte[] record) {
    tr.set(key(tenant, file), record);
  }

  /** Returns up to {@code limit} imports of a tenant. */
  public List<byte[]> all(ReadTransaction tr, String tenant, int limit) {
    Tuple parent = layout.tenant(tenant, TenantSpace.IMPORT);
    return tr.getRange(layout.children(parent), limit).stream().map(row -> row.value()).toList();
  }

  private byte[] key(String tenant, byte[] file) {
    return layout.key(layout.tenant(tenant, TenantSpace.IMPORT).add(file));
  }
}
