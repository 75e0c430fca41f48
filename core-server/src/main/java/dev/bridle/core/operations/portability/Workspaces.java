package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.vault.VaultStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows.Row;
import java.util.List;
import java.util.Optional;

/**
 * Handles workspaces that both a file and a tenant have. Every tenant starts with one; an unused
 * one is replaced by the file's.
 */
final class Workspaces {
  private static final String OBJECT = "workspace";

  private final TransferStores stores;
  private final String tenant;

  Workspaces(TransferStores stores, String tenant) {
    this.stores = stores;
    this.tenant = tenant;
  }

  /** Returns whether a workspace is unused: never changed, and empty. */
  boolean untouched(ReadTransaction tr, String id) {
    return stores.events().sequence(tr, tenant, OBJECT, id) == 1
        && List.of(
                SessionStore.SESSION,
                TaskStore.TASK,
                ArtifactStore.ARTIFACT,
                MemoryStore.MEMORY,
                VaultStore.VAULT)
            .stream()
            .allMatch(
                kind -> page(tr, kind, RecordDef.BY_WORKSPACE, id, Optional.empty()).isEmpty());
  }

  /** Removes an unused workspace, so that another can replace it. */
  void remove(Transaction tr, String id) {
    stores.records().remove(tr, tenant, WorkspaceStore.WORKSPACE.number(), id);
    Optional<LogPosition> after = Optional.empty();
    List<Row> page = page(tr, WorkspaceStore.WORKSPACE, RecordDef.ALL, "", after);
    while (!page.isEmpty()) {
      for (Row row : page) {
        if (row.id().equals(id)) {
          stores
              .records()
              .unindex(
                  tr, tenant, WorkspaceStore.WORKSPACE.number(), RecordDef.ALL, "", row.place());
        }
      }
      after = Optional.of(page.get(page.size() - 1).place());
      page = page(tr, WorkspaceStore.WORKSPACE, RecordDef.ALL, "", after);
    }
    stores
        .log()
        .lastEventId(tr, tenant, id)
        .ifPresent(only -> stores.events().removeStream(tr, tenant, id, only));
    stores.events().setSequence(tr, tenant, OBJECT, id, 0);
  }

  private List<Row> page(
      ReadTransaction tr, RecordDef<?> kind, int index, String value, Optional<LogPosition> after) {
    return stores.records().page(tr, tenant, kind.number(), index, value, after, 100);
  }
}
