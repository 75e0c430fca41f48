package dev.bridle.core.server;

/**
 * How a core uses its storage.
 *
 * @param exclusive whether no other process uses it, so that leases of the process before are known
 *     to be gone
 * @param makeFirstKey whether storage without a key gets one, with a tenant
 * @param operatorOnly whether operators alone are served: nothing changes that they do not ask for,
 *     and data of an older format is rejected
 */
public record StorageUse(boolean exclusive, boolean makeFirstKey, boolean operatorOnly) {
  /** Storage of this process alone, which gets a first key. */
  public static final StorageUse EXCLUSIVE = new StorageUse(true, true, false);

  StorageUse shared() {
    return new StorageUse(false, makeFirstKey, operatorOnly);
  }

  StorageUse withFirstKey(boolean make) {
    return new StorageUse(exclusive, make, operatorOnly);
  }

  StorageUse forOperatorOnly() {
    return new StorageUse(exclusive, false, true);
  }
}
