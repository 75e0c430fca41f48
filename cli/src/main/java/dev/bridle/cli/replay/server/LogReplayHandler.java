package dev.bridle.cli.replay.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.proof.replay.ReplacedRun;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import io.grpc.Channel;
import java.util.Optional;

/**
 * Replays the log of a task that has ended, or the logs of a session's tasks (protocol section
 * "Replay contract").
 */
public final class LogReplayHandler implements TaskHandler {
  /** The step under which the core keeps how a handler has ended. */
  private static final String RUN_END = "replay:end";

  private final Channel channel;

  /**
   * Creates the handler.
   *
   * @param channel a channel to the core with a credential that may read tasks, receipts and events
   */
  public LogReplayHandler(Channel channel) {
    this.channel = channel;
  }

  @Override
  public TaskResult handle(TaskContext task) throws TaskFailure {
    TaskReplay replay = task.task().getReplay();
    return replay.hasSourceSessionId()
        ? new ReplayedSession(task, channel).replay()
        : ofTask(task, replay);
  }

  private TaskResult ofTask(TaskContext task, TaskReplay replay) throws TaskFailure {
    ReplayedLog log = new ReplayedLog(task, ReplayedOrigin.of(replay, run(task)), channel);
    log.started();
    ReplayedLog.Found found = log.replay();
    if (found.fault().isPresent()) {
      ReplayFault fault = found.fault().get();
      throw new TaskFailure(fault.kind().spelling(), fault.toString());
    }
    TaskResult result =
        TaskResult.of("Replayed " + found.events() + " events: " + found.finalState() + ".");
    for (Artifact segment : found.segment().stream().toList()) {
      result = result.withArtifact(segment);
    }
    return result;
  }

  /** Returns what the task's handler did before, if recorded values were replaced. */
  private static Optional<ReplacedRun> run(TaskContext task) throws TaskFailure {
    TaskReplay replay = task.task().getReplay();
    if (replay.getOverrideKeysCount() == 0 && replay.getRefreshKeysCount() == 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ReplacedRun(
              (ObjectNode)
                  task.step(
                      RUN_END,
                      () -> {
                        throw new IllegalStateException("the core keeps the end of each run");
                      })));
    } catch (TaskFailure | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
