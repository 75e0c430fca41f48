package dev.bridle.storage.layer;

import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;

/**
 * Maps ingress paths to connectors: {@code INGRESS / hash of the last path segment → connector}.
 */
public final class IngressStore {
  private final KeyLayout layout;

  public IngressStore(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns the connector of a path. */
  public Optional<byte[]> find(ReadTransaction tr, byte[] hash) {
    return tr.get(key(hash));
  }

  /** Stores the connector of a path. */
  public void put(Transaction tr, byte[] hash, byte[] record) {
    tr.set(key(hash), record);
  }

  /** Removes a path. */
  public void remove(Transaction tr, byte[] hash) {
    tr.clear(key(hash));
  }

  private byte[] key(byte[] hash) {
    return layout.key(layout.system(SystemSpace.INGRESS).add(hash));
  }
}
