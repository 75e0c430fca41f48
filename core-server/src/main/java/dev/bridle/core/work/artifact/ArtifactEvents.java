package dev.bridle.core.work.artifact;

import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.TaskRecord;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Emits the events of artifacts: as events of their task while it runs, otherwise of the artifact
 * itself, in its session's log if it has one.
 */
final class ArtifactEvents {
  private final TaskStores stores;

  ArtifactEvents(TaskStores stores) {
    this.stores = stores;
  }

  void created(Write write, Artifact artifact) {
    emit(
        write,
        artifact,
        ArtifactStore.event(EventKinds.ARTIFACT_CREATED, artifact, Optional.empty()),
        change -> {
          change.counts().addArtifacts(1);
          change.facts().addArtifact(artifact.getId(), ArtifactStore.receiptPart(artifact, false));
        });
  }

  void updated(Write write, Artifact artifact, long size) {
    emit(
        write,
        artifact,
        ArtifactStore.event(EventKinds.ARTIFACT_UPDATED, artifact, Optional.of(size)),
        change ->
            change
                .facts()
                .putArtifact(artifact.getId(), ArtifactStore.receiptPart(artifact, true)));
  }

  private void emit(
      Write write, Artifact artifact, EventDraft draft, Consumer<TaskChange> ofLiveTask) {
    String session = artifact.getSessionId();
    Optional<TaskRecord> task =
        artifact.hasTaskId()
            ? stores.tasks().find(write.tr(), write.tenant(), artifact.getTaskId())
            : Optional.empty();
    Events events = stores.events();
    if (task.filter(record -> !TaskLifecycle.terminal(record.getTask().getStatus())).isPresent()) {
      TaskChange change = stores.change(write, task.get());
      change.emit(draft);
      ofLiveTask.accept(change);
      change.save();
    } else {
      // The terminal event is a task's last, so later events belong to the artifact.
      events.ofResource(
          write,
          artifact.getWorkspaceId(),
          session,
          "artifact",
          artifact.getId(),
          artifact.hasSessionId() ? session : artifact.getId(),
          draft);
    }
  }
}
