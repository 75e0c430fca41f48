package dev.bridle.core.work.workspace;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.workspace.v1.Workspace;
import java.util.Optional;

/** Opens the workspaces of folders anywhere on this machine. */
public final class MachineFolders {
  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final Events events;

  public MachineFolders(CoreContext context) {
    this.store = context.store();
    this.commands = context.commands();
    this.workspaces = new WorkspaceStore(context.layout());
    this.events = context.events();
  }

  /**
   * Returns the id of a folder's workspace, and creates it if there is none. One that an import has
   * brought is open from then on.
   */
  public String open(String tenant, String actor, MachineFolder folder) {
    String id = folder.workspaceId();
    if (store
        .read(tr -> workspaces.named(tr, tenant, id))
        .filter(workspace -> workspace.getRoot().equals(folder.root()))
        .isPresent()) {
      return id;
    }
    return commands.once(
        tenant,
        actor,
        write -> {
          Timestamp now = Timestamps.fromMillis(write.nowMillis());
          Optional<Workspace> found = workspaces.named(write.tr(), tenant, id);
          if (found.isPresent() && MachineFolder.isClosed(found.get().getRoot())) {
            Workspace opened =
                found.get().toBuilder().setRoot(folder.root()).setUpdatedAt(now).build();
            workspaces.update(write, found.get(), opened);
            events.ofWorkspace(write, id, WorkspaceEvents.opened(opened));
          } else if (found.isEmpty()) {
            Workspace made =
                Workspace.newBuilder()
                    .setId(id)
                    .setCreatedAt(now)
                    .setUpdatedAt(now)
                    .setName(folder.name())
                    .setRoot(folder.root())
                    .setTenantId(tenant)
                    .build();
            workspaces.insert(write, made);
            events.ofWorkspace(write, id, WorkspaceEvents.created(made));
          }
          return id;
        });
  }
}
