package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.Installation;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Goes through the feeds of all tenants that have webhooks. */
final class WebhookPump {
  private static final Logger log = LoggerFactory.getLogger(WebhookPump.class);

  /** How often each tenant that has webhooks is looked at, since a watch may be missed. */
  private static final Duration TICK = Duration.ofSeconds(1);

  /** How often tenants are looked through for webhooks that another process made. */
  private static final Duration SCAN = Duration.ofSeconds(10);

  private final Installation installation;
  private final WebhookTenant.Means means;
  private final Map<String, WebhookTenant> tenants = new ConcurrentHashMap<>();

  WebhookPump(WebhookTenant.Means means) {
    this.installation = means.context().installation();
    this.means = means;
  }

  void start(ScheduledExecutorService timer) {
    every(timer, TICK, () -> tenants.keySet().forEach(this::wake));
    every(timer, SCAN, this::scan);
    means.context().environment().background().execute(this::scan);
  }

  private static void every(ScheduledExecutorService timer, Duration interval, Runnable work) {
    var unused =
        timer.scheduleWithFixedDelay(
            work, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Goes through a tenant's feed soon, and from now on. */
  void wake(String tenant) {
    try {
      tenants
          .computeIfAbsent(
              tenant, name -> new WebhookTenant(name, means, () -> tenants.remove(name)))
          .wake();
    } catch (RejectedExecutionException e) {
      tenants.remove(tenant); // The server stops.
    }
  }

  private void scan() {
    KeyValueStore store = means.context().store();
    try {
      Optional<String> next = store.read(tr -> installation.tenantAfter(tr, ""));
      while (next.isPresent()) {
        String tenant = next.get();
        if (store.read(
            tr -> !means.webhooks().states(tr, tenant, WebhookStore.PREFIX, 1).isEmpty())) {
          wake(tenant);
        }
        next = store.read(tr -> installation.tenantAfter(tr, tenant));
      }
    } catch (RuntimeException e) {
      FailureLog.warn(log, "Webhooks were not looked for; they are soon.", e);
    }
  }
}
