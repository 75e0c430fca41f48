package dev.bridle.core.work.permission;

import com.google.protobuf.util.Timestamps;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Computes the standing grants that a permission request offers to its approvers; agents can't
 * offer grants. None is offered for an action that touches {@link ProtectedPaths}, nor for one that
 * is not known exactly.
 */
final class OfferedGrants {
  private static final Duration A_WORKING_DAY = Duration.ofHours(8);

  /** How long a grant for a workspace lasts at most. */
  static final Duration A_MONTH = Duration.ofDays(30);

  private OfferedGrants() {}

  /**
   * Returns what is offered.
   *
   * @param inWorkspace whether grants for the workspace are possible
   * @param folder the folder that edits may be granted below, if any
   */
  static List<OfferedGrant> of(
      PermissionAction action, boolean inWorkspace, Optional<String> folder, long nowMillis) {
    List<OfferedGrant> offered = new ArrayList<>();
    if (action.hasNotExact() || ProtectedPaths.touchedBy(action)) {
      return offered;
    }
    offered.add(
        grant("this_action", GrantScope.GRANT_SCOPE_ACTION, "This exact action, in this session.")
            .build());
    if (action.hasTool()) {
      offered.add(
          grant(
                  "this_tool",
                  GrantScope.GRANT_SCOPE_TOOL,
                  "Whatever the tool '" + action.getTool() + "' is asked to do in this session.")
              .build());
    }
    offered.add(
        grant(
                "this_session",
                GrantScope.GRANT_SCOPE_SESSION,
                "Whatever an agent asks for in this session.")
            .build());
    offered.add(
        grant(
                "this_action_today",
                GrantScope.GRANT_SCOPE_ACTION_UNTIL,
                "This exact action, in this session, for eight hours.")
            .setUntil(Timestamps.fromMillis(nowMillis + A_WORKING_DAY.toMillis()))
            .build());
    if (inWorkspace) {
      offered.add(
          grant(
                  "this_workspace",
                  GrantScope.GRANT_SCOPE_WORKSPACE,
                  "This exact action of this persona, in all sessions of this workspace, for 30"
                      + " days.")
              .setUntil(Timestamps.fromMillis(nowMillis + A_MONTH.toMillis()))
              .build());
      folder.ifPresent(
          below ->
              offered.add(
                  grant(
                          "edits_below",
                          GrantScope.GRANT_SCOPE_EDITS,
                          "Edits by this persona of files in "
                              + below
                              + " and the folders below it, in all sessions of this workspace, for"
                              + " 30 days; no deletions or moves, and no files that decide what runs"
                              + " later.")
                      .setFolder(below)
                      .setUntil(Timestamps.fromMillis(nowMillis + A_MONTH.toMillis()))
                      .build()));
    }
    return offered;
  }

  private static OfferedGrant.Builder grant(String id, GrantScope scope, String covers) {
    return OfferedGrant.newBuilder().setId(id).setScope(scope).setCovers(covers);
  }
}
