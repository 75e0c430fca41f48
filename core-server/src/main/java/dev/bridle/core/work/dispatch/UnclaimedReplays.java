package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.task.DueTasks;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.record.v1.QueuePlace;
import dev.bridle.storage.layer.DueEntry;
import java.time.Duration;

/**
 * Fails replays that no worker has taken in time that runs their handler. Any process's sweeper may
 * call it.
 */
final class UnclaimedReplays {
  private final DueTasks tasks;
  private final ReplayedCalls replays;

  UnclaimedReplays(DueTasks tasks, ReplayedCalls replays) {
    this.tasks = tasks;
    this.replays = replays;
  }

  /** Fails the replay of a due entry; removes a stale entry. */
  void expire(DueEntry entry) {
    tasks.change(entry, this::fail);
  }

  private void fail(TaskChange change) {
    QueuePlace place = change.record().getQueue();
    String agent = OwnAgents.replayedBy(place.getAgentId());
    Duration waited = Duration.ofMillis(place.getWaitsUntil() - place.getWaitsSince());
    replays.broken(
        change,
        Failure.newBuilder()
            .setCode(ReplayedCalls.UNAVAILABLE)
            .setMessage(
                (agent.isEmpty()
                        ? "host:worker: no worker of tasks without an agent"
                        : "host:worker:" + agent + ": no worker of this agent")
                    + " that runs replays has taken it within "
                    + spell(waited))
            .build());
  }

  private static String spell(Duration time) {
    if (time.toMinutesPart() == 0 && time.toSecondsPart() == 0) {
      return spell(time.toHours(), "hour");
    }
    return time.toSecondsPart() == 0
        ? spell(time.toMinutes(), "minute")
        : spell(time.toSeconds(), "second");
  }

  private static String spell(long count, String unit) {
    return count + " " + unit + (count == 1 ? "" : "s");
  }
}
