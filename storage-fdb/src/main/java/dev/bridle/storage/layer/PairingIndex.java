package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;

/**
 * Finds pairings for callers that have no credential yet, and so no tenant: {@code PAIRING / hash
 * of a code or nonce → tenant, nonce}.
 */
public final class PairingIndex {
  private final KeyLayout layout;

  public PairingIndex(KeyLayout layout) {
    this.layout = layout;
  }

  /**
   * A pairing of a tenant.
   *
   * @param tenant the tenant
   * @param nonce the pairing's nonce
   */
  public record Found(String tenant, String nonce) {
    /** Parses a stored row; empty where it is none. */
    public static Optional<Found> parse(byte[] value) {
      try {
        Tuple items = Tuple.fromBytes(value);
        return Optional.of(new Found(items.getString(0), items.getString(1)));
      } catch (RuntimeException notOne) { // The tuple layer throws whatever it stumbles over.
        return Optional.empty();
      }
    }
  }

  /** Returns the pairing of a hash, read with a conflict unless by a snapshot. */
  public Optional<Found> find(ReadTransaction tr, byte[] hash) {
    return tr.get(key(hash)).flatMap(Found::parse);
  }

  /** Stores the pairing of a hash. */
  public void put(Transaction tr, byte[] hash, Found pairing) {
    tr.set(key(hash), Tuple.from(pairing.tenant(), pairing.nonce()).pack());
  }

  /** Removes a hash. */
  public void remove(Transaction tr, byte[] hash) {
    tr.clear(key(hash));
  }

  private byte[] key(byte[] hash) {
    return layout.key(layout.system(SystemSpace.PAIRING).add(hash));
  }
}
