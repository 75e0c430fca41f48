package dev.bridle.core.api.workspace;

import dev.bridle.core.integrations.connector.ConnectorStore;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.workspace.v1.Workspace;
import java.util.List;
import java.util.Optional;

/** Adds the ids of their connectors to workspace resources. */
final class WorkspaceConnectorIds {
  private static final int MAX_CONNECTORS = 1000;

  private final RecordStore<ConnectorRecord> connectors;

  WorkspaceConnectorIds(KeyLayout layout) {
    this.connectors = ConnectorStore.CONNECTOR.store(layout);
  }

  /** Returns a workspace with the ids of its connectors, newest first. */
  Workspace withConnectors(ReadTransaction tr, String tenant, Workspace workspace) {
    List<String> ids =
        connectors
            .page(
                tr,
                tenant,
                RecordDef.BY_WORKSPACE,
                workspace.getId(),
                Optional.empty(),
                MAX_CONNECTORS,
                true)
            .stream()
            .map(IndexRow::id)
            .toList();
    Workspace.Builder shown = workspace.toBuilder().clearConnectors();
    connectors.each(
        tr,
        tenant,
        ids,
        record -> {
          if (record.getDeletedAt() == 0) {
            shown.addConnectors(record.getConnector().getId());
          }
        });
    return shown.build();
  }
}
