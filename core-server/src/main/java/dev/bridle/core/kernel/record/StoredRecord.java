package dev.bridle.core.kernel.record;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.record.RecordDef.Entry;
import dev.bridle.storage.layer.DueEntry;
import java.util.List;
import java.util.Optional;

/**
 * A record as it was read, with what its definition says of it.
 *
 * @param def its definition
 * @param storedId the id that it is stored under
 * @param record the record
 * @param <M> the record
 */
public record StoredRecord<M extends MessageLite>(RecordDef<M> def, String storedId, M record) {

  /** Returns whether the record names the id that it is stored under, or none. */
  public boolean namesItsId() {
    return namedId().filter(id -> !id.equals(storedId)).isEmpty();
  }

  /** Returns the id that the record names; empty where records of the kind name none. */
  public Optional<String> namedId() {
    return def.idOf(record);
  }

  /** Returns its index rows. */
  public List<Entry> entries() {
    return def.entriesOf(record);
  }

  /** Returns what it refers to. */
  public List<Reference> references() {
    return def.referencesOf(storedId, record);
  }

  /** Returns where it lies. */
  public Place place() {
    return def.placeOf(record);
  }

  /** Returns where its first event is; empty where there is none. */
  public Optional<Origin> origin() {
    return def.originOf(storedId, record);
  }

  /** Returns the record as it is in a tenant. */
  public StoredRecord<M> inTenant(String tenant) {
    return new StoredRecord<>(def, storedId, def.export().moved().apply(record, tenant));
  }

  /** Returns the due entries that it must have in a tenant. */
  public List<DueEntry> dueEntries(String tenant) {
    return def.dueEntriesOf(tenant, storedId, record);
  }
}
