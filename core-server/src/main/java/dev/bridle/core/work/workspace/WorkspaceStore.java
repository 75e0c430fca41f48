package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.core.kernel.record.RecordTypes;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.workspace.v1.Workspace;
import java.util.List;
import java.util.Optional;

/**
 * Keeps workspaces:
 *
 * <pre>
 * tenant / RECORD / WORKSPACE, id       → Workspace
 * tenant / INDEX / WORKSPACE, ALL, …    → id
 * </pre>
 */
public final class WorkspaceStore {
  /** The index of all workspaces. */
  public static final int ALL = RecordKind.ALL;

  private static final int MAX_CONNECTORS = 1000;

  private final RecordStore<Workspace> records;
  private final RecordStore<ConnectorRecord> connectors;

  public WorkspaceStore(KeyLayout layout) {
    this.records = new RecordStore<>(layout, RecordTypes.WORKSPACE);
    this.connectors = new RecordStore<>(layout, RecordTypes.CONNECTOR);
  }

  /** Returns a workspace with the ids of its connectors, newest first. */
  public Workspace shown(ReadTransaction tr, String tenant, Workspace workspace) {
    List<String> ids =
        connectors
            .page(
                tr,
                tenant,
                RecordKind.BY_WORKSPACE,
                workspace.getId(),
                Optional.empty(),
                MAX_CONNECTORS,
                true)
            .stream()
            .map(IndexRow::id)
            .toList();
    Workspace.Builder shown = workspace.toBuilder().clearConnectors();
    connectors.getAll(tr, tenant, ids).stream()
        .filter(record -> record.getDeletedAt() == 0)
        .forEach(record -> shown.addConnectors(record.getConnector().getId()));
    return shown.build();
  }

  /** Returns a workspace that the caller reaches; {@code resource_not_found} otherwise. */
  public Workspace need(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id).orElseThrow(() -> ProtocolException.notFound("workspace", id));
  }

  /** Returns a workspace that the caller reaches. */
  public Optional<Workspace> find(ReadTransaction tr, Caller caller, String id) {
    return records.get(tr, caller.tenant(), id).filter(workspace -> caller.reaches(id));
  }

  /** Returns a workspace that the core's own records name, whoever acts. */
  public Optional<Workspace> named(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id);
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
    RecordKind.WORKSPACE.index(records, write.tr(), write.tenant(), workspace, write.order());
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
