package dev.bridle.core.kernel.resource;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.Optional;

/**
 * Stores the records of a kind, with their index rows and due entries. Stores that keep more beside
 * them extend it:
 *
 * <pre>
 * tenant / RECORD / kind, id         → record
 * tenant / INDEX / kind, …           → id
 * DUE / …, id                        → when it is due
 * </pre>
 *
 * @param <M> the record
 */
public class TenantRecords<M extends MessageLite> {
  private final RecordDef<M> def;
  private final RecordStore<M> records;
  private final DueIndex due;

  /**
   * Creates a store.
   *
   * @param def their definition
   */
  public TenantRecords(KeyLayout layout, RecordDef<M> def) {
    this.def = def;
    this.records = def.store(layout);
    this.due = new DueIndex(layout);
  }

  /** Returns a record of the caller's tenant. */
  public Optional<M> find(ReadTransaction tr, Caller caller, String id) {
    return records.get(tr, caller.tenant(), id);
  }

  /** Returns a record of the caller's tenant; {@code resource_not_found} otherwise. */
  public M need(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id).orElseThrow(() -> ProtocolException.notFound(def.name(), id));
  }

  /**
   * Returns a record that a member of a request names; {@code resource_not_found} with that member
   * as its {@code param} otherwise.
   */
  public M referenced(ReadTransaction tr, Caller caller, String id, String param) {
    return find(tr, caller, id)
        .orElseThrow(() -> ProtocolException.notFound(def.name(), id).blaming(param));
  }

  /** Returns the record of a due entry; empty if the entry is stale. */
  public Optional<M> due(ReadTransaction tr, DueEntry entry) {
    return records.get(tr, entry.tenant(), entry.id()).filter(record -> def.isDue(record, entry));
  }

  /** Removes a stale due entry. */
  public void cancel(Write write, DueEntry entry) {
    due.cancel(write.tr(), entry);
  }

  /** Stores a new record. */
  public void insert(Write write, M record) {
    records.insert(write.tr(), write.tenant(), id(record), record);
    def.index(records, write.tr(), write.tenant(), record, write.order());
    def.schedule(due, write.tr(), write.tenant(), record);
  }

  /** Replaces the record {@code before}; its index rows stay. */
  public void update(Write write, M before, M record) {
    records.update(write.tr(), write.tenant(), id(record), before, record);
    def.reschedule(due, write.tr(), write.tenant(), before, record);
  }

  private String id(M record) {
    return def.idOf(record).orElseThrow();
  }

  /** Returns the store, for lists. */
  public RecordStore<M> records() {
    return records;
  }
}
