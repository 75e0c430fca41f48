package dev.bridle.core.integrations.webhook;

import dev.bridle.storage.layer.DueEntry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/** Sends what is due of webhooks, each of which has a part of its own. */
final class WebhookSending {
  static final String ACTOR = "bridle";

  private final WebhookEndpoint.Means means;
  private final Map<String, WebhookEndpoint> endpoints = new ConcurrentHashMap<>();
  private final Map<String, Semaphore> tenants = new ConcurrentHashMap<>();

  WebhookSending(WebhookEndpoint.Means means) {
    this.means = means;
  }

  /** Looks at a webhook that is due. */
  void due(DueEntry entry) {
    boolean there =
        means.fenced(
            entry.tenant(),
            write -> {
              boolean own =
                  means
                      .webhooks()
                      .state(write.tr(), write.tenant(), entry.id())
                      .filter(state -> state.getDueAt() == entry.dueMillis())
                      .isPresent();
              if (!own) {
                means.webhooks().cancel(write.tr(), entry);
              }
              return own;
            });
    if (there) {
      wake(entry.tenant(), entry.id());
    }
  }

  /** Sends what is due of a webhook, soon. */
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
        means,
        tenants.computeIfAbsent(tenant, unused -> new Semaphore(means.options().slotsOfTenant())),
        () -> endpoints.remove(tenant + "/" + webhook));
  }
}
