package dev.bridle.core.integrations.harpsession;

import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.TaskStatus;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What the agent of a session does, as HARP says it (HARP-SESSION, section 4). */
enum SessionActivity {
  /** Nothing, or it waits for words. */
  IDLE,
  /** It works, and has not acted yet. */
  PLANNING,
  /** It has written a file last. */
  EDITING,
  /** It has run a command or called a tool last. */
  EXECUTING,
  /** It waits for a permission. */
  WAITING_APPROVAL,
  /** Its last task has failed. */
  ERROR;

  private static final Map<String, SessionActivity> ACTIONS =
      Map.of(
          EventKinds.FILE_WRITTEN, EDITING,
          EventKinds.WORKSPACE_FILE_WRITTEN, EDITING,
          EventKinds.COMMAND_RUN, EXECUTING,
          EventKinds.NETWORK_EGRESS, EXECUTING,
          EventKinds.TOOL_CALLED, EXECUTING,
          EventKinds.TOOL_REQUESTED, EXECUTING);

  /**
   * Returns what the agent of a session does.
   *
   * @param tasks the newest tasks of the session, newest first
   * @param events returns the kinds of a task's last events, oldest first
   */
  static SessionActivity of(List<TaskRecord> tasks, Function<TaskRecord, List<String>> events) {
    if (tasks.stream().anyMatch(task -> !task.getPermissionRequestId().isEmpty())) {
      return WAITING_APPROVAL;
    }
    Optional<TaskRecord> working =
        tasks.stream()
            .filter(task -> task.getTask().getStatus() == TaskStatus.TASK_STATUS_WORKING)
            .findFirst();
    if (working.isPresent()) {
      return ofLastAction(events.apply(working.get()));
    }
    boolean failed =
        !tasks.isEmpty() && tasks.get(0).getTask().getStatus() == TaskStatus.TASK_STATUS_FAILED;
    return failed ? ERROR : IDLE;
  }

  private static SessionActivity ofLastAction(List<String> kinds) {
    for (int i = kinds.size() - 1; i >= 0; i--) {
      SessionActivity action = ACTIONS.get(kinds.get(i));
      if (action != null) {
        return action;
      }
    }
    return PLANNING;
  }

  /** Returns the state as it is on the wire. */
  String spelled() {
    return name().toLowerCase(Locale.ROOT);
  }
}
