package dev.bridle.cli.replay.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.proof.replay.ReplayFault.Kind;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskResult;
import io.grpc.Channel;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Replays the logs of a session's tasks in the order in which they were submitted (protocol section
 * "Conformance levels"). A difference does not end it: it goes on with the next task, and fails in
 * the end as the first difference says.
 */
final class ReplayedSession {
  private final TaskContext replay;
  private final String session;
  private final Channel channel;

  /**
   * Creates the replay of a session.
   *
   * @param channel a channel to the core with a credential that may read tasks, receipts and events
   */
  ReplayedSession(TaskContext replay, Channel channel) {
    this.replay = replay;
    this.session = replay.task().getReplay().getSourceSessionId();
    this.channel = channel;
  }

  TaskResult replay() throws TaskFailure {
    SessionTasks tasks = SessionTasks.of(channel, replay.task());
    if (!tasks.isWhole()) {
      throw tooMany();
    }
    int broken = 0;
    Optional<TaskFailure> first = Optional.empty();
    for (Task task : tasks.ended()) {
      replay.throwIfCancelled();
      ReplayedLog log = new ReplayedLog(replay, ReplayedOrigin.ofSession(task), channel);
      if (log.isCompleted()) {
        continue;
      }
      log.started();
      Optional<TaskFailure> failure = log.replay().fault().map(fault -> failure(task, fault));
      broken += failure.isPresent() ? 1 : 0;
      first = first.or(() -> failure);
    }
    replayed(tasks, broken);
    if (first.isPresent()) {
      throw first.get();
    }
    return TaskResult.of("Replayed " + tasks.ended().size() + " tasks of " + session + ".");
  }

  private static TaskFailure failure(Task task, ReplayFault fault) {
    return new TaskFailure(fault.kind().spelling(), task.getId() + ": " + fault);
  }

  private void replayed(SessionTasks tasks, int broken) {
    replay.event(
        "replay:session",
        "session.replayed",
        JsonNodeFactory.instance
            .objectNode()
            .put("session_id", session)
            .put("replayed", tasks.ended().size() - broken)
            .put("not_replayed", broken)
            .put("not_ended", tasks.live())
            .put("replays_left_out", tasks.replays()));
  }

  private TaskFailure tooMany() {
    ReplayFault fault =
        new ReplayFault(
            Kind.UNAVAILABLE,
            OptionalLong.empty(),
            "session",
            "at most " + SessionTasks.MOST + " tasks that have ended",
            "more");
    replay.event(
        "replay:failed",
        "replay.failed",
        JsonNodeFactory.instance
            .objectNode()
            .put("code", fault.kind().spelling())
            .put("what", fault.what())
            .put("expected", fault.expected())
            .put("found", fault.found()));
    return new TaskFailure(fault.kind().spelling(), fault.toString());
  }
}
