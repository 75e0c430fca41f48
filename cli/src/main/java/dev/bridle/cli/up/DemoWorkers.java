package dev.bridle.cli.up;

import dev.bridle.core.server.CoreServer;
import dev.bridle.worker.Worker;
import dev.bridle.worker.demo.DemoAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A worker of the demo agent for each tenant; it takes what nobody is bound to. */
final class DemoWorkers implements AutoCloseable {
  private static final Duration CLOSE_GRACE = Duration.ofMillis(500);
  private static final int SLOTS = 32;

  private final CoreServer core;
  private final List<Worker> workers = new ArrayList<>();
  private boolean closed;

  DemoWorkers(CoreServer core) {
    this.core = core;
  }

  synchronized void startFor(String tenant) {
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
            .build();
    workers.add(worker);
    worker.start();
  }

  @Override
  public synchronized void close() {
    closed = true;
    workers.forEach(Worker::close);
  }
}
