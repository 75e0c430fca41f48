package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.workspace.v1.Workspace;
import java.util.Optional;

/**
 * Stores workspaces:
 *
 * <pre>
 * tenant / RECORD / WORKSPACE, id       → Workspace
 * tenant / INDEX / WORKSPACE, ALL, …    → id
 * </pre>
 */
public final class WorkspaceStore {
  /** The definition of workspaces. */
  public static final RecordDef<Workspace> WORKSPACE =
      RecordDef.of(2, "workspace", Workspace.parser())
          .id(Workspace::getId)
          .listed()
          .configuration()
          .refersTo("quota", Workspace::getQuotaId)
          .withStream()
          .exported(
              export ->
                  export
                      .inPhase("WORKSPACES")
                      .moved(
                          (workspace, tenant) -> workspace.toBuilder().setTenantId(tenant).build()))
          .build();

  /** The index of all workspaces. */
  public static final int ALL = RecordDef.ALL;

  private final RecordStore<Workspace> records;

  public WorkspaceStore(KeyLayout layout) {
    this.records = WORKSPACE.store(layout);
  }

  /** Returns a workspace that the caller can access; {@code resource_not_found} otherwise. */
  public Workspace need(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id).orElseThrow(() -> ProtocolException.notFound("workspace", id));
  }

  /** Returns a workspace, if the caller can access it. */
  public Optional<Workspace> find(ReadTransaction tr, Caller caller, String id) {
    return records.get(tr, caller.tenant(), id).filter(workspace -> caller.reaches(id));
  }

  /** Returns a workspace without an access check, for internal references. */
  public Optional<Workspace> named(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id);
  }

  /** Returns the folder that a workspace's root is, if it is one of an agent's machine. */
  public Optional<MachineFolder> folder(ReadTransaction tr, String tenant, String id) {
    return MachineFolder.isPossible(id)
        ? named(tr, tenant, id).map(Workspace::getRoot).flatMap(MachineFolder::ofRoot)
        : Optional.empty();
  }

  /**
   * Returns the workspace of a request's {@code workspace_id}; {@code resource_not_found} with that
   * member otherwise.
   */
  public Workspace referenced(ReadTransaction tr, Caller caller, String id) {
    try {
      return need(tr, caller, id);
    } catch (ProtocolException absent) {
      throw absent.blaming("workspace_id");
    }
  }

  /** Stores a new workspace. */
  public void insert(Write write, Workspace workspace) {
    records.insert(write.tr(), write.tenant(), workspace.getId(), workspace);
    WORKSPACE.index(records, write.tr(), write.tenant(), workspace, write.order());
  }

  /** Stores a changed workspace. */
  public void update(Write write, Workspace before, Workspace workspace) {
    records.update(write.tr(), write.tenant(), workspace.getId(), before, workspace);
  }

  /** Returns the records. */
  public RecordStore<Workspace> records() {
    return records;
  }
}
