package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.work.replay.OverriddenRun;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;

/**
 * Ends attempts as their workers report it.
 *
 * @param endings ends tasks
 * @param lost counts attempts that may be repeated
 * @param turns the turns in sessions
 * @param run what replays with replaced values did
 */
record AttemptEndings(
    TaskEndings endings, LostAttempts lost, SessionTurns turns, OverriddenRun run) {

  /**
   * Completes the task; the replay of a task that found no difference ends as what it replays, or
   * as its handler did if values were replaced.
   *
   * @param agentWaits whether the agent of its session waits for something to do
   */
  void complete(TaskChange change, TaskEndings.Result result, boolean agentWaits) {
    String agent = change.record().getLease().getAgentId();
    if (OverriddenRun.is(change.before())) {
      run.end(endings, change, result);
    } else if (change.task().hasReplay() && !change.task().getReplay().hasSourceSessionId()) {
      endings.endAsOrigin(change, result);
    } else {
      endings.complete(change, result);
    }
    if (agentWaits) {
      turns.idle(change, agent);
    }
  }

  /** Fails the attempt, and the task unless it may be repeated. */
  void fail(TaskChange change, Failure failure, boolean retryable) {
    if (retryable) {
      lost.lose(change, failure);
    } else {
      endings.fail(change, failure);
    }
  }

  /** Cancels the task. */
  void cancel(TaskChange change) {
    endings.cancel(change);
  }
}
