package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.core.kernel.record.RecordTypes;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.Optional;

/**
 * Keeps permission requests:
 *
 * <pre>
 * tenant / RECORD / PERMISSION, id                                      → PermissionRecord
 * tenant / INDEX / PERMISSION, ALL | WORKSPACE | SESSION | TASK | ACTION, …  → id
 * </pre>
 */
public final class PermissionStore {
  static final int ALL = RecordKind.ALL;
  static final int SESSION = RecordKind.BY_SESSION;
  static final int TASK = RecordKind.PERMISSIONS_BY_TASK;

  private final RecordStore<PermissionRecord> records;

  public PermissionStore(KeyLayout layout) {
    this.records = new RecordStore<>(layout, RecordTypes.PERMISSION);
  }

  /** Returns a request's record. */
  public Optional<PermissionRecord> find(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id);
  }

  /** Returns a request that the caller reaches; {@code resource_not_found} otherwise. */
  PermissionRecord need(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound("permission_request", id));
  }

  /**
   * Returns a request with its workspace, which those of earlier versions were stored without
   * there.
   */
  static PermissionRequest shown(PermissionRecord record) {
    return record.getRequest().toBuilder().setWorkspaceId(record.getWorkspaceId()).build();
  }

  /** Returns the newest request of a task for one action. */
  Optional<PermissionRecord> newest(
      ReadTransaction tr, String tenant, String task, String fingerprint) {
    return records
        .page(
            tr,
            tenant,
            RecordKind.PERMISSIONS_BY_ACTION,
            RecordKind.action(task, fingerprint),
            Optional.empty(),
            1,
            true)
        .stream()
        .findFirst()
        .flatMap(row -> records.get(tr, tenant, row.id()));
  }

  /** Returns whether a task has that many requests, decided ones among them. */
  boolean hasMany(Write write, String task, int many) {
    return records
            .page(write.tr().snapshot(), write.tenant(), TASK, task, Optional.empty(), many, false)
            .size()
        >= many;
  }

  void insert(Write write, PermissionRecord record) {
    var order = write.order();
    records.insert(write.tr(), write.tenant(), record.getRequest().getId(), record);
    RecordKind.PERMISSION.index(records, write.tr(), write.tenant(), record, order);
  }

  void update(Write write, PermissionRecord before, PermissionRecord record) {
    records.update(write.tr(), write.tenant(), record.getRequest().getId(), before, record);
  }

  RecordStore<PermissionRecord> records() {
    return records;
  }
}
