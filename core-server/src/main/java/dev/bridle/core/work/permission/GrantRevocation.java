package dev.bridle.core.work.permission;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.record.v1.PermissionGrantRecord;

/** Revokes standing grants, and emits that. */
public final class GrantRevocation {
  private final GrantStore grants;
  private final Events events;

  public GrantRevocation(GrantStore grants, Events events) {
    this.grants = grants;
    this.events = events;
  }

  /** Revokes a grant as the actor of the command; a revoked one stays unchanged. */
  public PermissionGrant revoke(Write write, PermissionGrantRecord before, String reason) {
    if (before.getGrant().hasRevokedAt()) {
      return before.getGrant();
    }
    var now = Timestamps.fromMillis(write.nowMillis());
    PermissionGrant.Builder grant =
        before.getGrant().toBuilder()
            .setUpdatedAt(now)
            .setRevokedAt(now)
            .setRevokedBy(write.actor());
    if (!reason.isEmpty()) {
      grant.setRevokeReason(reason);
    }
    PermissionGrantRecord after = before.toBuilder().setGrant(grant).build();
    grants.update(write, before, after);
    events.ofSession(
        write,
        before.getWorkspaceId(),
        grant.getSessionId(),
        EventDraft.of(
            EventKinds.PERMISSION_REVOKED,
            Payload.of().text("grant_id", grant.getId()).text("reason", reason)));
    return after.getGrant();
  }
}
