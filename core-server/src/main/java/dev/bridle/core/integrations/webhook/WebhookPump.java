package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the event feeds of all tenants that have webhooks. */
final class WebhookPump {
  private static final Logger log = LoggerFactory.getLogger(WebhookPump.class);

  /** How often the feeds of known tenants are polled, since a watch may be missed. */
  private static final Duration TICK = Duration.ofSeconds(1);

  /** How often to search all tenants for webhooks that another process created. */
  private static final Duration SCAN = Duration.ofSeconds(10);

  private final CoreContext context;
  private final WebhookStore webhooks;
  private final WebhookEndpoints sender;
  private final Map<String, WebhookTenant> tenants = new ConcurrentHashMap<>();

  /**
   * Creates the component.
   *
   * @param sender sends deliveries
   */
  WebhookPump(CoreContext context, WebhookStore webhooks, WebhookEndpoints sender) {
    this.context = context;
    this.webhooks = webhooks;
    this.sender = sender;
  }

  void start(ScheduledExecutorService timer, ScheduledExecutorService sweeps) {
    Periodic.every(
        timer, TICK, "Looking after webhooks", () -> tenants.keySet().forEach(this::wake));
    Periodic.every(sweeps, SCAN, "Looking for webhooks", this::scan);
    context.environment().background().execute(this::scan);
  }

  /** Schedules a read of a tenant's feed, and follows it from now on. */
  void wake(String tenant) {
    try {
      tenants
          .computeIfAbsent(
              tenant, name -> new WebhookTenant(name, context, sender, () -> tenants.remove(name)))
          .wake();
    } catch (RejectedExecutionException e) {
      tenants.remove(tenant); // The server stops.
    }
  }

  private void scan() {
    KeyValueStore store = context.store();
    Installation installation = context.installation();
    try {
      Optional<String> next = store.read(tr -> installation.tenantAfter(tr, ""));
      while (next.isPresent()) {
        String tenant = next.get();
        if (store.read(tr -> !webhooks.states(tr, tenant, WebhookStore.PREFIX, 1).isEmpty())) {
          wake(tenant);
        }
        next = store.read(tr -> installation.tenantAfter(tr, tenant));
      }
    } catch (RuntimeException e) {
      FailureLog.warn(log, "The search for webhooks failed; retrying soon.", e);
    }
  }
}
