package dev.bridle.cli.up;

import dev.bridle.cli.admin.OperatorKey;
import dev.bridle.cli.replay.server.LogReplayHandler;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.Worker;
import java.time.Duration;
import java.util.Set;

/** The workers that replay tasks. They take replays, and nothing else. */
final class ReplayWorkers {
  private static final Duration CLOSE_GRACE = Duration.ofMillis(500);

  /** Few, since each reads a whole log; further replays wait in the queue. */
  private static final int SLOTS = 2;

  /** One, since each may read the logs of thousands of tasks. */
  private static final int SESSION_SLOTS = 1;

  private static final Set<String> SCOPES =
      Set.of("workers:lease", "tasks:read", "events:read", "receipts:read");

  private static final HandlerFacts FACTS =
      HandlerFacts.of(OwnAgents.REPLAY, Versions.SERVER).withAllSideEffectsReported();

  private ReplayWorkers() {}

  /** Returns the workers of a core that replay tasks, which begin with its tenants. */
  static TenantWorkers of(CoreServer core) {
    return workers(core, OwnAgents.REPLAY, SLOTS);
  }

  /** Returns those that replay sessions. */
  static TenantWorkers ofSessions(CoreServer core) {
    return workers(core, OwnAgents.SESSION_REPLAY, SESSION_SLOTS);
  }

  private static TenantWorkers workers(CoreServer core, String agent, int slots) {
    return new TenantWorkers(
        core,
        OwnAgents.REPLAY,
        SCOPES,
        secret ->
            Worker.builder(core.channel())
                .credentials(secret)
                .agentId(agent)
                .withoutRegistration()
                .slots(slots)
                .closeGrace(CLOSE_GRACE)
                .handler(new LogReplayHandler(OperatorKey.withBearer(core.channel(), secret)))
                .handlerFacts(FACTS)
                .build());
  }
}
