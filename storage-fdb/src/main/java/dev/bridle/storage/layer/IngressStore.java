package dev.bridle.storage.layer;

import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;

/** Whose a path for deliveries is: {@code INGRESS / hash of its last part → connector}. */
public final class IngressStore {
  private final KeyLayout layout;

  public IngressStore(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns whose it is. */
  public Optional<byte[]> find(ReadTransaction tr, byte[] hash) {
    return tr.get(key(hash));
  }

  /** Says whose it is. */
  public void put(Transaction tr, byte[] hash, byte[] record) {
    tr.set(key(hash), record);
  }

  /** Ends it. */
  public void remove(Transaction tr, byte[] hash) {
    tr.clear(key(hash));
  }

  private byte[] key(byte[] hash) {
    return layout.key(layout.system(SystemSpace.INGRESS).add(hash));
  }
}
