package dev.bridle.core.work.quota;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.quota.v1.Quota;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import java.util.HashSet;
import java.util.Set;

/** Stores quotas, and checks who may see them and what they may bind. */
public final class QuotaStore {
  /** The index of the quotas that bind all tasks of the tenant. */
  public static final int QUOTAS_OF_TENANT = 1;

  /** The definition of quotas. */
  public static final RecordDef<Quota> QUOTA =
      RecordDef.of(15, "quota", Quota.parser())
          .id(Quota::getId)
          .listed()
          .configuration()
          .indexedWhere(QuotaStore::bindsTenant, QUOTAS_OF_TENANT, quota -> "")
          .withStream()
          .exported(export -> export.inPhase("QUOTAS").takenAlong())
          .build();

  private final TenantRecords<Quota> records;
  private final WorkspaceStore workspaces;

  public QuotaStore(KeyLayout layout) {
    this.records = new TenantRecords<>(layout, QUOTA);
    this.workspaces = new WorkspaceStore(layout);
  }

  TenantRecords<Quota> records() {
    return records;
  }

  /**
   * Checks that a request's {@code quota_id} names a visible quota of a scope; rejects that member
   * otherwise.
   */
  public void needBinding(ReadTransaction tr, Caller caller, String id, QuotaScope scope) {
    Quota quota = records.referenced(tr, caller, id, "quota_id");
    if (!visibleTo(tr, caller).holds(quota)) {
      throw ProtocolException.notFound(QUOTA.name(), id).blaming("quota_id");
    }
    if (quota.getScope() != scope) {
      throw ProtocolException.invalid("quota_id", "names a quota of another scope");
    }
  }

  /** Returns which quotas a caller may see. */
  View visibleTo(ReadTransaction tr, Caller caller) {
    Set<String> named = new HashSet<>();
    for (String workspace : caller.workspaces()) {
      workspaces.find(tr, caller, workspace).ifPresent(found -> named.add(found.getQuotaId()));
    }
    return new View(caller.workspaces().isEmpty(), named);
  }

  /**
   * The quotas that a caller may see. A quota of a workspace reveals its usage, so it requires
   * access to that workspace.
   *
   * @param all whether the caller may see all
   * @param ofWorkspaces the ids of quotas that the caller's workspaces name
   */
  record View(boolean all, Set<String> ofWorkspaces) {
    boolean holds(Quota quota) {
      return all
          || quota.getScope() != QuotaScope.QUOTA_SCOPE_WORKSPACE
          || ofWorkspaces.contains(quota.getId());
    }
  }

  static boolean bindsTenant(Quota quota) {
    return quota.getScope() == QuotaScope.QUOTA_SCOPE_TENANT
        || quota.getScope() == QuotaScope.QUOTA_SCOPE_ORGANIZATION;
  }
}
