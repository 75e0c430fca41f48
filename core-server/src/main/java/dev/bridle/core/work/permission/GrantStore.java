package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores standing grants:
 *
 * <pre>
 * tenant / RECORD / PERMISSION_GRANT, id                  → PermissionGrantRecord
 * tenant / INDEX / PERMISSION_GRANT, ALL | SESSION, …     → id
 * tenant / INDEX / PERMISSION_GRANT, WORKSPACE, …         → id, of those that outlast a session
 * </pre>
 */
public final class GrantStore {
  private static final Set<GrantScope> OF_WORKSPACE =
      EnumSet.of(GrantScope.GRANT_SCOPE_WORKSPACE, GrantScope.GRANT_SCOPE_EDITS);

  /** The definition of standing grants. */
  public static final RecordDef<PermissionGrantRecord> PERMISSION_GRANT =
      RecordDef.of(31, "permission grant", PermissionGrantRecord.parser())
          .id(record -> record.getGrant().getId())
          .listed()
          .indexed(RecordDef.BY_SESSION, record -> record.getGrant().getSessionId())
          .indexedWhere(
              record -> OF_WORKSPACE.contains(record.getGrant().getScope()),
              RecordDef.BY_WORKSPACE,
              PermissionGrantRecord::getWorkspaceId)
          .refersTo("workspace", PermissionGrantRecord::getWorkspaceId)
          .belongsTo("session", record -> record.getGrant().getSessionId())
          .belongsTo("task", record -> record.getGrant().getTaskId())
          .belongsTo("permission request", record -> record.getGrant().getRequestId())
          .liesIn(PermissionGrantRecord::getWorkspaceId, record -> record.getGrant().getSessionId())
          .firstEventIn(record -> record.getGrant().getSessionId(), "grant_id")
          .build();

  /**
   * The maximum number of grants of a session, ended ones included; all are read for each
   * permission request.
   */
  static final int MAX_OF_SESSION = 100;

  /** The maximum number of grants for a workspace in the time that they last at most. */
  static final int MAX_OF_WORKSPACE = 100;

  static final int ALL = RecordDef.ALL;
  static final int SESSION = RecordDef.BY_SESSION;

  private final RecordStore<PermissionGrantRecord> records;

  public GrantStore(KeyLayout layout) {
    this.records = PERMISSION_GRANT.store(layout);
  }

  /** Returns a grant that the caller can access; {@code resource_not_found} otherwise. */
  PermissionGrantRecord need(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound("permission_grant", id));
  }

  /** Returns a grant's record. */
  Optional<PermissionGrantRecord> find(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id);
  }

  /** Returns all grants of a session, oldest first, including ended ones. */
  public List<PermissionGrantRecord> ofSession(ReadTransaction tr, String tenant, String session) {
    List<String> ids =
        records.page(tr, tenant, SESSION, session, Optional.empty(), MAX_OF_SESSION, false).stream()
            .map(IndexRow::id)
            .toList();
    return records.getAll(tr, tenant, ids);
  }

  /**
   * Returns the newest grants for a workspace. All that may still be valid are among them, since
   * there are never more in the time that they last.
   */
  List<PermissionGrantRecord> ofWorkspace(ReadTransaction tr, String tenant, String workspace) {
    List<String> ids =
        records
            .page(
                tr,
                tenant,
                RecordDef.BY_WORKSPACE,
                workspace,
                Optional.empty(),
                MAX_OF_WORKSPACE,
                true)
            .stream()
            .map(IndexRow::id)
            .toList();
    return records.getAll(tr, tenant, ids);
  }

  /**
   * Returns up to {@code limit} grants of a tenant.
   *
   * @param after the position to continue from, as the previous batch returned it
   */
  public RecordStore.Batch<PermissionGrantRecord> page(
      ReadTransaction tr, String tenant, Optional<byte[]> after, int limit) {
    return records.batch(tr, tenant, RecordDef.ALL, "", after, limit);
  }

  void insert(Write write, PermissionGrantRecord record) {
    var order = write.order();
    records.insert(write.tr(), write.tenant(), record.getGrant().getId(), record);
    PERMISSION_GRANT.index(records, write.tr(), write.tenant(), record, order);
  }

  /** Replaces a grant. */
  public void update(Write write, PermissionGrantRecord before, PermissionGrantRecord record) {
    records.update(write.tr(), write.tenant(), record.getGrant().getId(), before, record);
  }

  RecordStore<PermissionGrantRecord> records() {
    return records;
  }
}
