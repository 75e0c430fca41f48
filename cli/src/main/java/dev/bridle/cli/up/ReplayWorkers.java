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

  private static final Set<String> SCOPES =
      Set.of("workers:lease", "tasks:read", "events:read", "receipts:read");

  private static final HandlerFacts FACTS =
      HandlerFacts.of(OwnAgents.REPLAY, Versions.SERVER).withAllSideEffectsReported();

  private ReplayWorkers() {}

  /** Returns the workers of a core, which begin with its tenants. */
  static TenantWorkers of(CoreServer core) {
    return new TenantWorkers(
        core,
        OwnAgents.REPLAY,
        SCOPES,
        secret ->
            Worker.builder(core.channel())
                .credentials(secret)
                .agentId(OwnAgents.REPLAY)
                .withoutRegistration()
                .slots(SLOTS)
                .closeGrace(CLOSE_GRACE)
                .handler(new LogReplayHandler(OperatorKey.withBearer(core.channel(), secret)))
                .handlerFacts(FACTS)
                .build());
  }
}
