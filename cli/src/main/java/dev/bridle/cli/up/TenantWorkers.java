package dev.bridle.cli.up;

import dev.bridle.core.server.CoreServer;
import dev.bridle.core.server.TenantListener;
import dev.bridle.worker.Worker;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Runs a worker of the server's own for each tenant, with a credential of that tenant. */
final class TenantWorkers implements TenantListener, AutoCloseable {
  private final CoreServer core;
  private final String actor;
  private final Set<String> scopes;
  private final Function<String, Worker> make;
  private final Map<String, RunningWorker> workers = new HashMap<>();
  private boolean closed;

  /**
   * Creates the workers' keeper, which begins with the first tenant that it hears of.
   *
   * @param actor who acts, as events say
   * @param scopes what the workers may do
   * @param make makes a worker that calls the core with the given bearer secret
   */
  TenantWorkers(CoreServer core, String actor, Set<String> scopes, Function<String, Worker> make) {
    this.core = core;
    this.actor = actor;
    this.scopes = Set.copyOf(scopes);
    this.make = make;
  }

  /** A worker and the API key that it calls the core with. */
  private record RunningWorker(Worker worker, String secret) {}

  @Override
  public synchronized void there(String tenant) {
    if (closed) {
      return;
    }
    String secret = core.processCredential(tenant, actor, scopes);
    Worker worker = make.apply(secret);
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
