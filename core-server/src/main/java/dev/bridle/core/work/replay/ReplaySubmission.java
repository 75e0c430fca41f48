package dev.bridle.core.work.replay;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskReplay;
import java.util.List;
import java.util.Optional;

/** Accepts replays of tasks. Each is durable once the transaction commits. */
final class ReplaySubmission {
  private final TaskStores stores;
  private final SessionStore sessions;
  private final ReplaySessions targets;
  private final ReplayOverrides overrides;
  private final ReplayCheckpoints checkpoints;
  private final ReplayTasks tasks;

  ReplaySubmission(CoreContext context, TaskStores stores) {
    this.stores = stores;
    this.sessions = new SessionStore(context.layout(), context.log());
    this.targets = new ReplaySessions(context);
    this.overrides = new ReplayOverrides(context);
    this.checkpoints = new ReplayCheckpoints(context);
    this.tasks = new ReplayTasks(context, stores);
  }

  /**
   * Creates and queues the replay of a task that the caller can access; {@code rate_limited} while
   * too many replays of the tenant wait.
   */
  Task submit(Write write, TaskRecord source, ReplayTaskRequest request) {
    String id = write.id("task");
    boolean isExecuted = ReplayRules.isExecuted(request);
    boolean mayReplace = ReplayRules.replacesValues(source.getTask(), request);
    boolean begins = ReplayCheckpoints.isWanted(source, request, isExecuted);
    TaskReplay.Builder found =
        ReplayRules.of(source.getTask(), isExecuted, ReplayMode.REPLAY_MODE_EXACT).toBuilder();
    Optional<TaskRecord> origin =
        isExecuted ? executed(write, found, mayReplace || begins) : Optional.empty();
    String agent =
        origin
            .map(executed -> OwnAgents.replaysOf(executed.getTask().getAssignedAgentId()))
            .orElse(OwnAgents.REPLAY);
    tasks.needRoom(write, id, agent);
    if (begins) {
      found.setCheckpoint(checkpoints.of(write, source, origin.orElseThrow(), request));
    }
    List<StepRecord> replaced =
        mayReplace
            ? overrides.of(write, source, origin.orElseThrow(), found.build(), request)
            : List.of();
    replaced.forEach(step -> found.addOverrideKeys(step.getStep().getStepKey()));
    found.addAllRefreshKeys(overrides.refreshed(write, found.build(), request));
    boolean replaces = OverriddenRun.replaces(found.build());
    found.setMode(mode(replaces, begins));
    return tasks.submit(
        write,
        new ReplayDraft(
            id,
            agent,
            targets.of(
                write,
                sessions.need(write.tr(), Caller.current(), source.getTask().getSessionId()),
                source.getTask().getId(),
                replaces),
            found.build(),
            Optional.of(source),
            replaced,
            new ReplayNote(request.getReason(), request.getMetadata())));
  }

  private static ReplayMode mode(boolean replaces, boolean begins) {
    if (begins) {
      return ReplayMode.REPLAY_MODE_FROM_CHECKPOINT;
    }
    return replaces ? ReplayMode.REPLAY_MODE_WITH_OVERRIDES : ReplayMode.REPLAY_MODE_EXACT;
  }

  /** Returns the task whose handler the replay runs. */
  private Optional<TaskRecord> executed(Write write, TaskReplay.Builder replay, boolean changes) {
    String id = replay.getOriginTaskId();
    TaskRecord origin =
        stores
            .tasks()
            .find(write.tr(), write.tenant(), id)
            .orElseThrow(() -> ProtocolException.notFound("task", id));
    ReplayRules.needExecutable(
        origin, stores.tasks().resource(write.tr(), write.tenant(), origin).getInput());
    if (changes) {
      ReplayRules.needEndedByHandler(origin);
    }
    return Optional.of(origin);
  }
}
