package dev.bridle.core.workspace;

import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.RecordType;
import dev.bridle.workspace.v1.Workspace;

/**
 * Keeps workspaces:
 *
 * <pre>
 * tenant / RECORD / WORKSPACE, id       → Workspace
 * tenant / INDEX / WORKSPACE, ALL, …    → id
 * </pre>
 */
public final class WorkspaceStore {
  static final int ALL = 0;

  private final RecordStore<Workspace> records;

  public WorkspaceStore(KeyLayout layout) {
    this.records = new RecordStore<>(layout, new RecordType<>(2, Workspace.parser()));
  }

  /** Returns a workspace that the caller reaches; {@code resource_not_found} otherwise. */
  public Workspace need(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(workspace -> caller.reaches(id))
        .orElseThrow(() -> ProtocolException.notFound("workspace", id));
  }

  /**
   * Returns a workspace that a request's {@code workspace_id} names; blames that member otherwise.
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
    records.index(write.tr(), write.tenant(), ALL, "", write.order(), workspace.getId());
  }

  void update(Write write, Workspace before, Workspace workspace) {
    records.update(write.tr(), write.tenant(), workspace.getId(), before, workspace);
  }

  RecordStore<Workspace> records() {
    return records;
  }
}
