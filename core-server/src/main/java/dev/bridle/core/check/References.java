package dev.bridle.core.check;

import com.google.protobuf.MessageLite;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.record.RecordKind;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.Task;
import java.util.ArrayList;
import java.util.List;

/** Which other records a record names. */
final class References {
  private References() {}

  /**
   * A record that another one names.
   *
   * @param kind its kind
   * @param id its id
   * @param owner whether the other one belongs to it, so that both lie at one place
   */
  record Reference(RecordKind kind, String id, boolean owner) {
    Reference(RecordKind kind, String id) {
      this(kind, id, false);
    }
  }

  static List<Reference> of(RecordKind kind, String id, MessageLite record) {
    List<Reference> named = new ArrayList<>();
    if (record instanceof Session session) {
      named.add(new Reference(RecordKind.WORKSPACE, session.getWorkspaceId()));
    } else if (record instanceof Message message) {
      named.add(new Reference(RecordKind.SESSION, message.getSessionId(), true));
      if (message.hasTaskId()) {
        named.add(new Reference(RecordKind.TASK, message.getTaskId(), true));
      }
    } else if (record instanceof ArtifactRecord artifact) {
      ofArtifact(artifact.getArtifact(), named);
    } else if (record instanceof TaskRecord task) {
      ofTask(task.getTask(), named);
    } else if (record instanceof OutcomeRecord outcome) {
      named.add(new Reference(RecordKind.WORKSPACE, outcome.getWorkspaceId()));
      named.add(new Reference(RecordKind.TASK, outcome.getOutcome().getTaskId(), true));
      outcome
          .getMessageIdsList()
          .forEach(message -> named.add(new Reference(RecordKind.MESSAGE, message)));
    } else if (record instanceof PermissionRecord permission) {
      named.add(new Reference(RecordKind.WORKSPACE, permission.getWorkspaceId()));
      named.add(new Reference(RecordKind.SESSION, permission.getRequest().getSessionId(), true));
      named.add(new Reference(RecordKind.TASK, permission.getRequest().getTaskId(), true));
    } else if (record instanceof PermissionGrantRecord grant) {
      named.add(new Reference(RecordKind.WORKSPACE, grant.getWorkspaceId()));
      named.add(new Reference(RecordKind.SESSION, grant.getGrant().getSessionId(), true));
      named.add(new Reference(RecordKind.TASK, grant.getGrant().getTaskId(), true));
      named.add(new Reference(RecordKind.PERMISSION, grant.getGrant().getRequestId(), true));
    } else if (record instanceof ApiKeyRecord key) {
      key.getWorkspaceIdsList()
          .forEach(workspace -> named.add(new Reference(RecordKind.WORKSPACE, workspace)));
    } else if (kind.equals(RecordKind.TASK_INPUT)) {
      named.add(new Reference(RecordKind.TASK, id));
    }
    return named;
  }

  private static void ofArtifact(Artifact artifact, List<Reference> named) {
    named.add(new Reference(RecordKind.WORKSPACE, artifact.getWorkspaceId()));
    if (artifact.hasSessionId()) {
      named.add(new Reference(RecordKind.SESSION, artifact.getSessionId(), true));
    }
    if (artifact.hasTaskId()) {
      named.add(new Reference(RecordKind.TASK, artifact.getTaskId(), true));
    }
  }

  private static void ofTask(Task task, List<Reference> named) {
    named.add(new Reference(RecordKind.TASK_INPUT, task.getId()));
    named.add(new Reference(RecordKind.SESSION, task.getSessionId(), true));
    named.add(new Reference(RecordKind.WORKSPACE, task.getWorkspaceId()));
    if (task.hasParentTaskId()) {
      named.add(new Reference(RecordKind.TASK, task.getParentTaskId()));
    }
  }
}
