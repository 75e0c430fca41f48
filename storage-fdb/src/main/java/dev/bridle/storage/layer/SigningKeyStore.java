package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.List;
import java.util.Optional;

/** Stores the installation's signing keys, by purpose and id. */
public final class SigningKeyStore {
  private static final int MOST = 1000;

  private final KeyLayout layout;

  public SigningKeyStore(KeyLayout layout) {
    this.layout = layout;
  }

  /**
   * A stored key.
   *
   * @param id the key's id
   * @param record its record
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, compared by nobody.
  public record StoredKey(String id, byte[] record) {}

  /** Returns a key. */
  public Optional<byte[]> get(ReadTransaction tr, String purpose, String id) {
    return tr.get(key(purpose, id));
  }

  /** Returns all keys of a purpose, in the order of their ids. */
  public List<StoredKey> all(ReadTransaction tr, String purpose) {
    Tuple parent = layout.system(SystemSpace.SIGNING_KEY).add(purpose);
    return tr.getRange(layout.children(parent), MOST).stream()
        .map(row -> new StoredKey(layout.unpack(row.key()).getString(3), row.value()))
        .toList();
  }

  /** Stores a key. */
  public void put(Transaction tr, String purpose, String id, byte[] record) {
    tr.set(key(purpose, id), record);
  }

  /** Removes a key. */
  public void remove(Transaction tr, String purpose, String id) {
    tr.clear(key(purpose, id));
  }

  private byte[] key(String purpose, String id) {
    return layout.key(layout.system(SystemSpace.SIGNING_KEY).add(purpose).add(id));
  }
}
