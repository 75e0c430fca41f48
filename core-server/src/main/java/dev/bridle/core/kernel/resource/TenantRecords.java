package dev.bridle.core.kernel.resource;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.RecordType;
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
  private final RecordKind kind;
  private final RecordStore<M> records;

  /**
   * Keeps records.
   *
   * @param type how one is read; of {@code kind}
   */
  public TenantRecords(KeyLayout layout, RecordKind kind, RecordType<M> type) {
    this.kind = kind;
    this.records = new RecordStore<>(layout, type);
  }

  /** Returns a record of the caller's tenant. */
  public Optional<M> find(ReadTransaction tr, Caller caller, String id) {
    return records.get(tr, caller.tenant(), id);
  }

  /** Returns a record of the caller's tenant; {@code resource_not_found} otherwise. */
  public M need(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id).orElseThrow(() -> ProtocolException.notFound(kind.name(), id));
  }

  /** Returns a record that a member of a request names; blames that member otherwise. */
  public M referenced(ReadTransaction tr, Caller caller, String id, String param) {
    return find(tr, caller, id)
        .orElseThrow(() -> ProtocolException.notFound(kind.name(), id).blaming(param));
  }

  /** Stores a new record. */
  public void insert(Write write, M record) {
    records.insert(write.tr(), write.tenant(), kind.id().apply(record), record);
    kind.index(records, write.tr(), write.tenant(), record, write.order());
  }

  /** Stores a record in the place of {@code before}. */
  public void update(Write write, M before, M record) {
    records.update(write.tr(), write.tenant(), kind.id().apply(record), before, record);
  }

  /** Returns the store, for lists. */
  public RecordStore<M> records() {
    return records;
  }
}
