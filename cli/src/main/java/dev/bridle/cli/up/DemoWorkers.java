package dev.bridle.cli.up;

import dev.bridle.core.kernel.version.Versions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.Worker;
import dev.bridle.worker.WorkerBuilder;
import dev.bridle.worker.demo.DemoAgent;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The workers of the demo agent. They take tasks that no other worker is bound to. */
final class DemoWorkers {
  private static final Duration CLOSE_GRACE = Duration.ofMillis(500);
  private static final int SLOTS = 32;
  private static final int REPLAYS = 2;

  // An agent reads and writes the artifacts of its tasks.
  private static final Set<String> SCOPES =
      Set.of("workers:lease", "artifacts:read", "artifacts:write");

  /**
   * What it declares for receipts: it decides by its input and what it records, writes no files,
   * calls nobody and runs no commands.
   */
  private static final HandlerFacts FACTS =
      HandlerFacts.of("bridle-demo-agent", Versions.SERVER)
          .withAllRecorded()
          .withAllSideEffectsReported();

  private DemoWorkers() {}

  /** Returns the workers of a core, which begin with its tenants. */
  static TenantWorkers of(CoreServer core) {
    return workers(core, SLOTS, builder -> builder);
  }

  /** Returns the workers that run replays of its tasks. */
  static TenantWorkers ofReplays(CoreServer core) {
    return workers(core, REPLAYS, WorkerBuilder::replays);
  }

  private static TenantWorkers workers(
      CoreServer core, int slots, UnaryOperator<WorkerBuilder> kind) {
    return new TenantWorkers(
        core,
        "demo-agent",
        SCOPES,
        secret ->
            kind.apply(Worker.builder(core.channel()))
                .credentials(secret)
                .slots(slots)
                .closeGrace(CLOSE_GRACE)
                .handler(new DemoAgent())
                .handlerFacts(FACTS)
                .build());
  }
}
