package dev.bridle.core.api.event;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.event.LoadedEvent;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.EventLog;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The events that a reader may see.
 *
 * @param caller the reader
 * @param task only those of this task
 * @param session only those of this session
 * @param workspace only those of this workspace
 */
record EventScope(
    Caller caller,
    Optional<TaskRecord> task,
    Optional<String> session,
    Optional<String> workspace) {

  String tenant() {
    return caller.tenant();
  }

  /** Returns the partitions of the log that hold events of this scope. */
  Set<Integer> partitions(EventLog log) {
    return session
        .map(one -> Set.of(log.partitionOf(one)))
        .orElseGet(
            () ->
                IntStream.range(0, log.partitions())
                    .boxed()
                    .collect(Collectors.toUnmodifiableSet()));
  }

  /** Returns whether all events in the partitions of this scope belong to it. */
  boolean hidesNothing() {
    return session.isPresent() || (workspace.isEmpty() && caller.workspaces().isEmpty());
  }

  /** Returns whether an event belongs to this scope and the caller may see it. */
  boolean holds(LoadedEvent event) {
    String of = event.record().getWorkspaceId();
    return caller.reaches(of)
        && (workspace.isEmpty() || workspace.get().equals(of))
        && (session.isEmpty() || session.get().equals(event.stream()))
        && (task.isEmpty() || task.get().getTask().getId().equals(event.record().getTaskId()));
  }
}
