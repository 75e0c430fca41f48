package dev.bridle.core.work.permission;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.kernel.validate.CanonicalJson;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskOrBuilder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes the hashes that bind an approval to its action, and to what the approver was shown. */
public final class ActionHashes {
  private ActionHashes() {}

  /**
   * Returns the hash that identifies an action of a task: its workspace, session, persona and exact
   * content.
   */
  static String fingerprint(PermissionAction action, Task task) {
    return hash(
        exact(action)
            .text("workspace", task.getWorkspaceId())
            .text("session", task.getSessionId())
            .text("persona", task.getPersonaId())
            .json());
  }

  /**
   * Returns the hash that identifies an action in all sessions of a workspace: workspace, persona
   * and exact content.
   */
  static String workspaceFingerprint(PermissionAction action, TaskOrBuilder task) {
    return hash(
        exact(action)
            .text("workspace", task.getWorkspaceId())
            .text("persona", task.getPersonaId())
            .json());
  }

  private static Payload exact(PermissionAction action) {
    return Payload.of()
        .text("kind", action.getKind())
        .text("tool", action.getTool())
        .json("content", action.getContent())
        .texts("edited_files", action.getEditedFilesList());
  }

  /** Returns the hash of what approvers of a request are shown. */
  public static String shown(PermissionRequest request) {
    PermissionQuestion asked = request.getRequest();
    PermissionQuestion.Builder shown =
        PermissionQuestion.newBuilder()
            .setPrompt(asked.getPrompt())
            .addAllOptions(asked.getOptionsList())
            .addAllOfferedGrants(asked.getOfferedGrantsList());
    if (asked.hasRepeats()) {
      shown.setRepeats(asked.getRepeats());
    }
    if (asked.getAcceptsModified()) {
      shown.setAcceptsModified(true).setArgumentsMember(asked.getArgumentsMember());
    }
    if (asked.hasPolicy()) {
      shown.setPolicy(asked.getPolicy());
    }
    if (asked.hasReplaces()) {
      shown.setReplaces(asked.getReplaces());
    }
    return hash(
        Payload.of()
            .json("action", ResourceJson.nonDefault(request.getAction()))
            .json("metadata", request.getMetadata())
            .json("request", ResourceJson.nonDefault(shown.build()))
            .json());
  }

  /** Returns the hash of what approval rules required. */
  static String rules(ApprovalRequirement policy) {
    return hash(ResourceJson.nonDefault(policy));
  }

  private static String hash(ByteString json) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(CanonicalJson.of(json).toByteArray());
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has SHA-256.
    }
  }
}
