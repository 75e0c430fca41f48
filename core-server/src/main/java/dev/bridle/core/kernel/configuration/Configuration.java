package dev.bridle.core.kernel.configuration;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.configuration.Configurations.Place;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;

/**
 * A tenant's configuration as one transaction sees it: the same records as the transaction would
 * read, and the same conflicts, mostly without reading them again. Not thread-safe.
 */
public final class Configuration {
  private static final int A_RECORD = -1;

  private final KeyLayout layout;
  private final ReadTransaction tr;
  private final String tenant;
  private final Memory memory;

  Configuration(KeyLayout layout, ReadTransaction tr, String tenant, Memory memory) {
    this.layout = layout;
    this.tr = tr;
    this.tenant = tenant;
    this.memory = memory;
  }

  /** Returns a record of a kind that is configuration. */
  public <M extends MessageLite> Optional<M> find(RecordDef<M> kind, String id) {
    return memory
        .get(
            place(kind, A_RECORD, id),
            () -> kind.store(layout).get(tr, tenant, id).map(List::of).orElseGet(List::of))
        .stream()
        .findFirst();
  }

  /**
   * Returns the first records of an index of a kind that is configuration, oldest first.
   *
   * @param most the maximum number of records, the same in all reads of this index
   */
  public <M extends MessageLite> List<M> listed(RecordDef<M> kind, int index, int most) {
    return memory.get(
        place(kind, index, ""),
        () -> {
          RecordStore<M> records = kind.store(layout);
          List<String> ids =
              records.page(tr, tenant, index, "", Optional.empty(), most, false).stream()
                  .map(IndexRow::id)
                  .toList();
          return ids.isEmpty() ? List.of() : records.getAll(tr, tenant, ids);
        });
  }

  private Place place(RecordDef<?> kind, int index, String of) {
    if (!kind.type().configuration()) {
      throw new IllegalArgumentException("a " + kind.name() + " is no configuration");
    }
    return new Place(tenant, kind.number(), index, of);
  }
}
