package dev.bridle.core.integrations.repo;

import com.google.protobuf.Message;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.DeleteRules;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.kernel.resource.UpdateRules;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceOwned;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.persona.v1.Persona;
import dev.bridle.record.v1.HarpRepoRecord;
import dev.bridle.relay.v1.HarpRepo;
import dev.bridle.relay.v1.HarpRepoServiceGrpc;
import dev.bridle.session.v1.Session;

/**
 * The mappings of repositories to workspaces. Only who reaches the whole tenant makes them: they
 * say where the prompts of others go, and who reads the sessions of a repository.
 */
public final class HarpRepos extends WorkspaceOwned<HarpRepoRecord, HarpRepo>
    implements UpdateRules<HarpRepoRecord, HarpRepo>, DeleteRules<HarpRepoRecord, HarpRepo> {
  private final HarpRepoStore repos;
  private final SessionStore sessions;
  private final TenantRecords<Persona> personas;

  private HarpRepos(CoreContext context) {
    super(new WorkspaceStore(context.layout()));
    this.repos = new HarpRepoStore(context.layout());
    this.sessions = new SessionStore(context.layout(), context.log());
    this.personas = new TenantRecords<>(context.layout(), Personas.PERSONA);
  }

  /** Returns the definition of the resource. */
  public static ResourceDef<HarpRepoRecord, HarpRepo> resource(CoreContext context) {
    return ResourceDef.of(
        HarpRepoStore.HARP_REPO,
        HarpRepoServiceGrpc.getServiceDescriptor(),
        HarpRepo.getDefaultInstance(),
        HarpRepoRecord::getRepo,
        new HarpRepos(context));
  }

  /** Lets whoever has the scope and the workspace; both are checked elsewhere. */
  @Override
  public void admit(Caller caller) {}

  @Override
  public String workspaceOf(HarpRepoRecord record) {
    return record.getRepo().getWorkspaceId();
  }

  @Override
  public boolean deleted(HarpRepoRecord record) {
    return record.getDeletedAt() != 0;
  }

  @Override
  public HarpRepoRecord create(Write write, Caller caller, Message request, HarpRepo repo) {
    caller.needWholeTenant();
    checkTargets(write, caller, repo);
    if (repos.isTaken(write.tr(), write.tenant(), repo)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The workspace has a mapping of this repository; change that.")
          .blaming("repo_ref");
    }
    TenantLimits.needRoom(
        write,
        repos.records(),
        HarpRepoStore.HARP_REPO,
        record -> !deleted(record),
        HarpRepoStore.MOST);
    repos.insertKeys(write, repo);
    return HarpRepoRecord.newBuilder().setRepo(repo).build();
  }

  @Override
  public HarpRepoRecord update(Write write, Caller caller, HarpRepoRecord before, HarpRepo after) {
    caller.needWholeTenant();
    checkTargets(write, caller, after);
    return before.toBuilder().setRepo(after).build();
  }

  /** Marks the mapping as deleted. The record stays in its lists, which skip it. */
  @Override
  public HarpRepoRecord delete(Write write, Caller caller, HarpRepoRecord before) {
    caller.needWholeTenant();
    HarpRepo repo = before.getRepo();
    repos.removeKeys(write, repo);
    return HarpRepoRecord.newBuilder()
        .setRepo(HarpRepo.newBuilder().setId(repo.getId()).setWorkspaceId(repo.getWorkspaceId()))
        .setDeletedAt(write.nowMillis())
        .build();
  }

  private void checkTargets(Write write, Caller caller, HarpRepo repo) {
    if (repo.hasPersonaId()) {
      var unused = personas.referenced(write.tr(), caller, repo.getPersonaId(), "persona_id");
    }
    if (!repo.hasSessionId()) {
      return;
    }
    String id = repo.getSessionId();
    Session session =
        sessions
            .find(write.tr(), caller, id)
            .orElseThrow(() -> ProtocolException.notFound("session", id).blaming("session_id"));
    if (!session.getWorkspaceId().equals(repo.getWorkspaceId())) {
      throw ProtocolException.invalid(
          "session_id", "names a session of another workspace than the mapping's");
    }
  }
}
