package dev.bridle.core.kernel.resource;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.Optional;

/**
 * Keeps the records of a kind that all workspaces of a tenant share:
 *
 * <pre>
 * tenant / RECORD / kind, id         → record
 * tenant / INDEX / kind, ALL, …      → id
 * </pre>
 *
 * @param <M> the record, which is the public resource
 */
public final class TenantRecords<M extends Message> {
  private final RecordDef<M> def;
  private final RecordStore<M> records;

  /**
   * Keeps records.
   *
   * @param def their definition
   */
  public TenantRecords(KeyLayout layout, RecordDef<M> def) {
    this.def = def;
    this.records = def.store(layout);
  }

  /** Returns a record of the caller's tenant. */
  public Optional<M> find(ReadTransaction tr, Caller caller, String id) {
    return records.get(tr, caller.tenant(), id);
  }

  /** Returns a record of the caller's tenant; {@code resource_not_found} otherwise. */
  public M need(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id).orElseThrow(() -> ProtocolException.notFound(def.name(), id));
  }

  /** Returns a record that a member of a request names; blames that member otherwise. */
  public M referenced(ReadTransaction tr, Caller caller, String id, String param) {
    return find(tr, caller, id)
        .orElseThrow(() -> ProtocolException.notFound(def.name(), id).blaming(param));
  }

  /** Stores a new record. */
  public void insert(Write write, M record) {
    records.insert(write.tr(), write.tenant(), id(record), record);
    def.index(records, write.tr(), write.tenant(), record, write.order());
  }

  /** Stores a record in the place of {@code before}. */
  public void update(Write write, M before, M record) {
    records.update(write.tr(), write.tenant(), id(record), before, record);
  }

  private String id(M record) {
    return def.idOf(record).orElseThrow();
  }

  /** Returns the store, for lists. */
  public RecordStore<M> records() {
    return records;
  }
}
