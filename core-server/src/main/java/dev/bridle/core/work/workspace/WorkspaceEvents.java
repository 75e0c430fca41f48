package dev.bridle.core.work.workspace;

import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.workspace.v1.Workspace;

/** The events of workspaces. */
public final class WorkspaceEvents {
  private WorkspaceEvents() {}

  /** Returns the event of a new workspace. */
  public static EventDraft created(Workspace workspace) {
    return EventDraft.of(
        EventKinds.WORKSPACE_CREATED,
        Payload.of()
            .text("name", workspace.getName())
            .text("root", workspace.getRoot())
            .text("image", workspace.getImage())
            .texts("packages", workspace.getPackagesList())
            .text("quota_id", workspace.getQuotaId())
            .json("metadata", workspace.getMetadata()));
  }

  /** Returns the event of a workspace whose folder the operator has opened. */
  static EventDraft opened(Workspace workspace) {
    return EventDraft.of(
        EventKinds.WORKSPACE_UPDATED, Payload.of().text("root", workspace.getRoot()));
  }
}
