package dev.bridle.core.integrations.webhook;

import dev.bridle.storage.layer.DueEntry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/** Sends due deliveries: keeps a {@link WebhookEndpoint} per active webhook. */
final class WebhookEndpoints {
  static final String ACTOR = "bridle";

  private final WebhookEndpoint.Dependencies dependencies;
  private final Map<String, WebhookEndpoint> endpoints = new ConcurrentHashMap<>();
  private final Map<String, Semaphore> tenants = new ConcurrentHashMap<>();

  WebhookEndpoints(WebhookEndpoint.Dependencies dependencies) {
    this.dependencies = dependencies;
  }

  /** Sends the deliveries of a webhook that is due. */
  void due(DueEntry entry) {
    boolean there =
        dependencies.fenced(
            entry.tenant(),
            write -> {
              boolean own =
                  dependencies
                      .webhooks()
                      .state(write.tr(), write.tenant(), entry.id())
                      .filter(state -> state.getDueAt() == entry.dueMillis())
                      .isPresent();
              if (!own) {
                dependencies.webhooks().cancel(write, entry);
              }
              return own;
            });
    if (there) {
      wake(entry.tenant(), entry.id());
    }
  }

  /** Schedules the sending of a webhook's due deliveries. */
  void wake(String tenant, String webhook) {
    String key = tenant + "/" + webhook;
    try {
      endpoints.computeIfAbsent(key, unused -> endpoint(tenant, webhook)).wake();
    } catch (RejectedExecutionException e) {
      endpoints.remove(key); // The server stops; it is due at the next start.
    }
  }

  private WebhookEndpoint endpoint(String tenant, String webhook) {
    return new WebhookEndpoint(
        tenant,
        webhook,
        dependencies,
        tenants.computeIfAbsent(
            tenant, unused -> new Semaphore(dependencies.options().slotsOfTenant())),
        () -> endpoints.remove(tenant + "/" + webhook));
  }
}
