package dev.bridle.cli.up;

import dev.bridle.core.kernel.version.Versions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.core.server.TenantListener;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.Worker;
import dev.bridle.worker.demo.DemoAgent;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a worker of the demo agent for each tenant. It takes tasks that no other worker is bound to.
 */
final class DemoWorkers implements TenantListener, AutoCloseable {
  private static final Duration CLOSE_GRACE = Duration.ofMillis(500);
  private static final int SLOTS = 32;

  private final CoreServer core;
  private final Map<String, RunningWorker> workers = new HashMap<>();
  private boolean closed;

  DemoWorkers(CoreServer core) {
    this.core = core;
  }

  /** A worker and the API key that it calls the core with. */
  private record RunningWorker(Worker worker, String secret) {}

  /** What it declares for receipts: it writes no files, calls nobody and runs no commands. */
  private static final HandlerFacts FACTS =
      HandlerFacts.of("bridle-demo-agent", Versions.SERVER).withAllSideEffectsReported();

  @Override
  public synchronized void there(String tenant) {
    if (closed) {
      return;
    }
    // An agent reads and writes the artifacts of its tasks.
    String secret =
        core.processCredential(
            tenant, "demo-agent", Set.of("workers:lease", "artifacts:read", "artifacts:write"));
    Worker worker =
        Worker.builder(core.channel())
            .credentials(secret)
            .slots(SLOTS)
            .closeGrace(CLOSE_GRACE)
            .handler(new DemoAgent())
            .handlerFacts(FACTS)
            .build();
    workers.put(tenant, new RunningWorker(worker, secret));
    worker.start();
  }

  @Override
  public synchronized void gone(String tenant) {
    Optional.ofNullable(workers.remove(tenant))
        .ifPresent(
            hired -> {
              hired.worker().close();
              core.endProcessCredential(hired.secret());
            });
  }

  /** Returns the tenants that have a worker. */
  synchronized Set<String> tenants() {
    return Set.copyOf(workers.keySet());
  }

  @Override
  public synchronized void close() {
    closed = true;
    workers.values().forEach(hired -> hired.worker().close());
  }
}
