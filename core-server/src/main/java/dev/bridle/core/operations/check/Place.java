package dev.bridle.core.operations.check;

import com.google.protobuf.MessageLite;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.BranchRecord;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;

/**
 * Where a record says that it belongs.
 *
 * @param workspace the workspace; empty where it names none
 * @param session the session; empty where it names none
 */
record Place(String workspace, String session) {
  /** Of a record that says nothing of it. */
  static final Place ANYWHERE = new Place("", "");

  static Place of(MessageLite record) {
    if (record instanceof Session session) {
      return new Place(session.getWorkspaceId(), "");
    } else if (record instanceof TaskRecord task) {
      return new Place(task.getTask().getWorkspaceId(), task.getTask().getSessionId());
    } else if (record instanceof ArtifactRecord artifact) {
      return new Place(
          artifact.getArtifact().getWorkspaceId(), artifact.getArtifact().getSessionId());
    } else if (record instanceof Message message) {
      return new Place("", message.getSessionId());
    } else if (record instanceof PermissionRecord permission) {
      return new Place(permission.getWorkspaceId(), permission.getRequest().getSessionId());
    } else if (record instanceof PermissionGrantRecord grant) {
      return new Place(grant.getWorkspaceId(), grant.getGrant().getSessionId());
    } else if (record instanceof OutcomeRecord outcome) {
      return new Place(outcome.getWorkspaceId(), "");
    } else if (record instanceof BranchRecord branch) {
      return new Place(branch.getBranch().getWorkspaceId(), branch.getOriginSessionId());
    } else if (record instanceof MemoryRecord memory) {
      return new Place(memory.getWorkspaceId(), "");
    }
    return ANYWHERE;
  }

  /** Returns whether both can be at one place. */
  boolean agrees(Place other) {
    return agree(workspace, other.workspace) && agree(session, other.session);
  }

  private static boolean agree(String one, String other) {
    return one.isEmpty() || other.isEmpty() || one.equals(other);
  }
}
