package dev.bridle.core.work.replay;

import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.TaskReplay;
import java.util.List;
import java.util.Optional;

/**
 * A replay before it is a task.
 *
 * @param id the id of the task that it becomes
 * @param agent the agent that it is bound to
 * @param session the session that it runs in
 * @param replay what it replays
 * @param source the task that was asked for; empty if a session was
 * @param replaced the steps that replace recorded ones
 * @param note what the caller has noted about it
 */
record ReplayDraft(
    String id,
    String agent,
    Session session,
    TaskReplay replay,
    Optional<TaskRecord> source,
    List<StepRecord> replaced,
    ReplayNote note) {
  ReplayDraft {
    replaced = List.copyOf(replaced);
  }
}
