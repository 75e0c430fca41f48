package dev.bridle.core.api.memory;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.persona.v1.Persona;
import dev.bridle.storage.ReadTransaction;

/** Resolves owners of memories: the scope decides on the kind of the owner, which must exist. */
final class MemoryOwners {
  private static final String PARAM = "owner_id";

  private final TenantRecords<Persona> personas;
  private final SessionStore sessions;
  private final WorkspaceStore workspaces;

  MemoryOwners(CoreContext context) {
    this.personas = new TenantRecords<>(context.layout(), Personas.PERSONA);
    this.sessions = new SessionStore(context.layout(), context.log());
    this.workspaces = new WorkspaceStore(context.layout());
  }

  /**
   * Returns the owner's workspace; empty if the owner is shared by the whole tenant. Fails with
   * {@code resource_not_found} for the request's {@code owner_id} if there is no such owner.
   */
  String workspaceOf(ReadTransaction tr, Caller caller, MemoryScope scope, String owner) {
    return switch (scope) {
      case MEMORY_SCOPE_SESSION ->
          sessions
              .find(tr, caller, owner)
              .orElseThrow(() -> absent(SessionStore.SESSION.name(), owner))
              .getWorkspaceId();
      case MEMORY_SCOPE_WORKSPACE ->
          workspaces
              .find(tr, caller, owner)
              .orElseThrow(() -> absent(WorkspaceStore.WORKSPACE.name(), owner))
              .getId();
      case MEMORY_SCOPE_PERSONA -> {
        var unused = personas.referenced(tr, caller, owner, PARAM);
        yield "";
      }
      default -> {
        if (!owner.equals(caller.tenant())) {
          throw absent("tenant", owner);
        }
        yield "";
      }
    };
  }

  private static ProtocolException absent(String object, String id) {
    return ProtocolException.notFound(object, id).blaming(PARAM);
  }
}
