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
 * Workspaces that a file and a tenant have both. Every tenant begins with one, so that an empty
 * tenant has it already; one that nobody has used gives way to the file's.
 */
final class Workspaces {
  private static final String OBJECT = "workspace";

  private final Stored stored;
  private final String tenant;

  Workspaces(Stored stored, String tenant) {
    this.stored = stored;
    this.tenant = tenant;
  }

  /** Returns whether a workspace is as it was made: never changed, and with nothing in it. */
  boolean untouched(ReadTransaction tr, String id) {
    return stored.events().sequence(tr, tenant, OBJECT, id) == 1
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

  /** Removes an untouched workspace, so that another can take its place. */
  void remove(Transaction tr, String id) {
    stored.records().remove(tr, tenant, WorkspaceStore.WORKSPACE.number(), id);
    Optional<LogPosition> after = Optional.empty();
    List<Row> page = page(tr, WorkspaceStore.WORKSPACE, RecordDef.ALL, "", after);
    while (!page.isEmpty()) {
      for (Row row : page) {
        if (row.id().equals(id)) {
          stored
              .records()
              .unindex(
                  tr, tenant, WorkspaceStore.WORKSPACE.number(), RecordDef.ALL, "", row.place());
        }
      }
      after = Optional.of(page.get(page.size() - 1).place());
      page = page(tr, WorkspaceStore.WORKSPACE, RecordDef.ALL, "", after);
    }
    stored
        .log()
        .lastEventId(tr, tenant, id)
        .ifPresent(only -> stored.events().removeStream(tr, tenant, id, only));
    stored.events().setSequence(tr, tenant, OBJECT, id, 0);
  }

  private List<Row> page(
      ReadTransaction tr, RecordDef<?> kind, int index, String value, Optional<LogPosition> after) {
    return stored.records().page(tr, tenant, kind.number(), index, value, after, 100);
  }
}
