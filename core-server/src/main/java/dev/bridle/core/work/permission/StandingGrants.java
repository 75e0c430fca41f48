package dev.bridle.core.work.permission;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.workspace.MachineFolder;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.task.v1.TaskOrBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Creates standing grants, and finds one that allows an action. Grants are read with a conflict in
 * each transaction that uses one, so that none is used after its revocation.
 */
public final class StandingGrants {
  private final GrantStore store;
  private final SessionStore sessions;
  private final WorkspaceStore workspaces;

  StandingGrants(GrantStore store, SessionStore sessions, WorkspaceStore workspaces) {
    this.store = store;
    this.sessions = sessions;
    this.workspaces = workspaces;
  }

  /** Returns whether a session may have another grant. */
  boolean roomIn(Write write, String session) {
    return store.ofSession(write.tr(), write.tenant(), session).size() < GrantStore.MAX_OF_SESSION;
  }

  /** Returns whether a workspace may have another grant. */
  boolean roomInWorkspace(Write write, TaskOrBuilder task) {
    long oldest = write.nowMillis() - OfferedGrants.A_MONTH.toMillis();
    return store.ofWorkspace(write.tr(), write.tenant(), task.getWorkspaceId()).stream()
            .filter(record -> Timestamps.toMillis(record.getGrant().getCreatedAt()) > oldest)
            .count()
        < GrantStore.MAX_OF_WORKSPACE;
  }

  /** Returns the folder that edits such as this may be granted below. */
  Optional<String> folderOf(TaskChange change, PermissionAction action) {
    return root(change, action).flatMap(root -> FolderEdits.narrowest(action, root));
  }

  /** Returns the folder of the workspace, for an action that grants for a folder may cover. */
  private Optional<MachineFolder> root(TaskChange change, PermissionAction action) {
    Write write = change.write();
    return FolderEdits.possible(action)
        ? workspaces.folder(write.tr(), write.tenant(), change.task().getWorkspaceId())
        : Optional.empty();
  }

  /** Creates the grant that all approvers of a request named. Returns its id. */
  String make(TaskChange change, PermissionRequest request, OfferedGrant offered) {
    Write write = change.write();
    var now = Timestamps.fromMillis(write.nowMillis());
    PermissionGrant.Builder grant =
        PermissionGrant.newBuilder()
            .setId(write.id("grant"))
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setSessionId(request.getSessionId())
            .setTaskId(request.getTaskId())
            .setRequestId(request.getId())
            .setScope(offered.getScope())
            .setCovers(offered.getCovers());
    request.getResponse().getAnswersList().stream()
        .filter(PermissionAnswer::getApproved)
        .map(PermissionAnswer::getActor)
        .forEach(grant::addGrantedBy);
    request.getResponse().getAnswersList().stream()
        .filter(answer -> answer.getApproved() && answer.hasEvidence())
        .map(answer -> answer.getEvidence().getApprovalDeviceId())
        .forEach(grant::addApprovalDeviceIds);
    if (grant.getApprovalDeviceIdsCount() > 0) {
      grant.setEra(write.order().era());
    }
    if (offered.hasUntil()) {
      grant.setUntil(offered.getUntil());
    }
    switch (offered.getScope()) {
      case GRANT_SCOPE_ACTION, GRANT_SCOPE_ACTION_UNTIL ->
          grant.setFingerprint(request.getAction().getFingerprint());
      case GRANT_SCOPE_TOOL -> grant.setTool(request.getAction().getTool());
      case GRANT_SCOPE_WORKSPACE ->
          ofWorkspace(grant, change.task())
              .setFingerprint(
                  ActionHashes.workspaceFingerprint(request.getAction(), change.task()));
      case GRANT_SCOPE_EDITS -> ofWorkspace(grant, change.task()).setFolder(offered.getFolder());
      default -> {}
    }
    store.insert(
        write,
        PermissionGrantRecord.newBuilder()
            .setGrant(grant)
            .setWorkspaceId(change.task().getWorkspaceId())
            .build());
    change.emit(
        EventDraft.of(
            EventKinds.PERMISSION_GRANTED,
            Payload.of()
                .text("grant_id", grant.getId())
                .text("permission_request_id", request.getId())
                .json("grant", ResourceJson.of(grant.build()))));
    return grant.getId();
  }

  private static PermissionGrant.Builder ofWorkspace(
      PermissionGrant.Builder grant, TaskOrBuilder task) {
    if (!task.getPersonaId().isEmpty()) {
      grant.setPersonaId(task.getPersonaId());
    }
    return grant.setWorkspaceId(task.getWorkspaceId());
  }

  /**
   * Returns the grant that allows an action of a task now, if there is one.
   *
   * @param usable which grants may be used
   */
  Optional<PermissionGrant> allowing(
      TaskChange change, PermissionAction action, Predicate<PermissionGrant> usable) {
    if (action.hasNotExact() || ProtectedPaths.touchedBy(action)) {
      return Optional.empty();
    }
    Write write = change.write();
    TaskOrBuilder task = change.task();
    String session = task.getSessionId();
    List<PermissionGrantRecord> all = store.ofSession(write.tr(), write.tenant(), session);
    Optional<PermissionGrant> found =
        all.isEmpty() || !sessions.open(write.tr(), write.tenant(), session)
            ? Optional.empty()
            : first(all, write, usable.and(grant -> coversInSession(grant, action)));
    if (found.isPresent()) {
      return found;
    }
    String fingerprint = ActionHashes.workspaceFingerprint(action, task);
    List<PermissionGrantRecord> wide =
        store.ofWorkspace(write.tr(), write.tenant(), task.getWorkspaceId());
    return first(wide, write, usable.and(grant -> grant.getFingerprint().equals(fingerprint)))
        .or(() -> allowingEdits(wide, change, action, usable));
  }

  private Optional<PermissionGrant> allowingEdits(
      List<PermissionGrantRecord> all,
      TaskChange change,
      PermissionAction action,
      Predicate<PermissionGrant> usable) {
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String persona = change.task().getPersonaId();
    return root(change, action)
        .flatMap(
            root ->
                first(
                    all,
                    change.write(),
                    usable.and(
                        grant ->
                            grant.getScope() == GrantScope.GRANT_SCOPE_EDITS
                                && grant.getPersonaId().equals(persona)
                                && FolderEdits.areBelow(grant.getFolder(), action, root))));
  }

  private static Optional<PermissionGrant> first(
      List<PermissionGrantRecord> all, Write write, Predicate<PermissionGrant> covers) {
    return all.stream()
        .map(PermissionGrantRecord::getGrant)
        .filter(grant -> holds(grant, write.nowMillis()) && covers.test(grant))
        .findFirst();
  }

  /** Returns whether a grant is neither revoked nor expired. */
  public static boolean holds(PermissionGrant grant, long now) {
    return !grant.hasRevokedAt()
        && (!grant.hasUntil() || now < Timestamps.toMillis(grant.getUntil()));
  }

  private static boolean coversInSession(PermissionGrant grant, PermissionAction action) {
    return switch (grant.getScope()) {
      case GRANT_SCOPE_ACTION, GRANT_SCOPE_ACTION_UNTIL ->
          grant.getFingerprint().equals(action.getFingerprint());
      case GRANT_SCOPE_TOOL -> action.hasTool() && grant.getTool().equals(action.getTool());
      case GRANT_SCOPE_SESSION -> true;
      default -> false;
    };
  }

  /** Returns how a scope is spelled in events. */
  static String spell(GrantScope scope) {
    return scope.name().substring("GRANT_SCOPE_".length()).toLowerCase(Locale.ROOT);
  }
}
