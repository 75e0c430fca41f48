package dev.bridle.core.kernel.configuration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.MessageLite;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.ConfigurationVersion;
import dev.bridle.storage.layer.KeyLayout;
import java.util.List;

/**
 * Remembers records of configuration between commands, for all tenants of a core. What is
 * remembered counts only in transactions that read the version at which it was read.
 */
public final class Configurations {
  private static final long MOST_BYTES = 8L << 20;
  private static final int BYTES_OF_AN_ENTRY = 200;

  private final KeyLayout layout;
  private final ConfigurationVersion versions;
  private final Cache<Place, Known> known =
      Caffeine.newBuilder()
          .maximumWeight(MOST_BYTES)
          .weigher((Place place, Known records) -> records.bytes())
          .executor(Runnable::run)
          .build();

  public Configurations(KeyLayout layout) {
    this.layout = layout;
    this.versions = new ConfigurationVersion(layout);
  }

  /**
   * Returns a tenant's configuration as a transaction sees it, and reads its version with a
   * conflict. The transaction must not have changed configuration.
   */
  public Configuration of(ReadTransaction tr, String tenant) {
    return new Configuration(layout, tr, tenant, new Memory(known, versions.read(tr, tenant)));
  }

  /** Returns a tenant's configuration for a transaction that may have changed it. */
  public static Configuration unremembered(KeyLayout layout, ReadTransaction tr, String tenant) {
    return new Configuration(layout, tr, tenant, Memory.NONE);
  }

  /**
   * Where records are read from.
   *
   * @param tenant the tenant
   * @param kind the number of the kind
   * @param index the number of an index; -1: the record itself
   * @param of the id of the record, or the indexed value
   */
  record Place(String tenant, int kind, int index, String of) {}

  /**
   * What was read.
   *
   * @param version the version at which it was read
   * @param records the records
   */
  record Known(Version version, List<? extends MessageLite> records) {
    int bytes() {
      long sum = BYTES_OF_AN_ENTRY;
      for (MessageLite record : records) {
        sum += BYTES_OF_AN_ENTRY + 2L * record.getSerializedSize();
      }
      return (int) Math.min(sum, Integer.MAX_VALUE);
    }
  }
}
