package dev.bridle.storage.layer;

import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;

/**
 * The version of a tenant's configuration, which is all records of the kinds that say so ({@link
 * RecordType#configuration}): {@code tenant / CONFIGURATION → commit stamp of the last change}.
 * While it stands, none of these records has changed, so a reader may use what it has read before.
 */
public final class ConfigurationVersion {
  private final KeyLayout layout;

  public ConfigurationVersion(KeyLayout layout) {
    this.layout = layout;
  }

  /**
   * Returns the version, read with a conflict, so that no transaction commits on a configuration
   * that changes meanwhile. Empty where nothing has changed since a release that knew no versions.
   * A transaction that has changed the configuration must not ask.
   */
  public Optional<byte[]> read(ReadTransaction tr, String tenant) {
    return tr.get(key(tenant));
  }

  /** Records that the configuration changes with this transaction. */
  public void change(Transaction tr, String tenant) {
    tr.setVersionstampedValue(key(tenant), Stamps.value(new byte[Stamps.BYTES], 0));
  }

  private byte[] key(String tenant) {
    return layout.key(layout.tenant(tenant, TenantSpace.CONFIGURATION));
  }
}
