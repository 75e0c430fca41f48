package dev.bridle.core.operations.check.log;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.LogDigest;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskTotals;
import dev.bridle.storage.layer.EventId;
import dev.bridle.task.v1.TaskStatus;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The state of a task that follows from its events up to one of them.
 *
 * @param next the number of the next event
 * @param whole whether every earlier event exists and could be parsed
 * @param status the task's state; empty if no event has set it yet
 * @param digest the state of the events' digest
 * @param totals the counts of the events
 * @param newest the newest event
 * @param ended whether an event has ended the task
 */
public record TaskFold(
    long next,
    boolean whole,
    Optional<TaskStatus> status,
    ByteString digest,
    TaskTotals totals,
    Optional<EventId> newest,
    boolean ended) {
  public static final TaskFold EMPTY =
      new TaskFold(
          0,
          true,
          Optional.empty(),
          ByteString.EMPTY,
          TaskTotals.getDefaultInstance(),
          Optional.empty(),
          false);

  private static final Set<String> MESSAGES =
      Set.of(
          EventKinds.USER_MESSAGE,
          EventKinds.AGENT_MESSAGE,
          EventKinds.SESSION_MESSAGE_APPENDED,
          EventKinds.USER_INPUT_SUBMITTED);

  /** The state that each lifecycle event leads to. */
  private static final Map<String, TaskStatus> STATES =
      TaskLifecycle.table().stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  TaskLifecycle.Transition::event,
                  TaskLifecycle.Transition::to,
                  (one, other) -> one));

  public TaskFold plus(EventId id, EventRecord event) {
    TaskTotals.Builder counted = totals.toBuilder().setEvents(totals.getEvents() + 1);
    if (MESSAGES.contains(event.getEvent())) {
      counted.setMessages(counted.getMessages() + 1);
    } else if (event.getEvent().equals(EventKinds.ARTIFACT_CREATED)) {
      counted.setArtifacts(counted.getArtifacts() + 1);
    } else if (event.getEvent().equals(EventKinds.DEPENDENCY_RECORDED)) {
      counted.setDependencies(counted.getDependencies() + 1);
    }
    Optional<TaskStatus> state =
        event.getEvent().equals(EventKinds.TASK_SUBMITTED)
            ? Optional.of(TaskStatus.TASK_STATUS_SUBMITTED)
            : Optional.ofNullable(STATES.get(event.getEvent()));
    return new TaskFold(
        event.getSequence() + 1,
        whole,
        state.or(() -> status),
        LogDigest.append(digest, event),
        counted.build(),
        Optional.of(id),
        ended || event.getTerminal());
  }

  /** Returns the same state, continuing at a number after missing events. */
  public TaskFold brokenUpTo(long number) {
    return new TaskFold(number, false, status, digest, totals, newest, ended);
  }

  /** Returns the state of an ended task whose events retention has all dropped. */
  public static TaskFold allDropped(TaskRecord task) {
    return new TaskFold(
        task.getNextSequence(),
        false,
        Optional.of(task.getTask().getStatus()),
        EMPTY.digest(),
        EMPTY.totals(),
        Optional.empty(),
        true);
  }
}
