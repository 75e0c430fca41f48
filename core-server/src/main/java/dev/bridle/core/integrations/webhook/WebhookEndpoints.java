package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.storage.layer.DueEntry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Sends due deliveries: keeps a {@link WebhookEndpoint} per active webhook. */
final class WebhookEndpoints {
  private static final String ACTOR = "bridle";

  private final CoreContext context;
  private final WebhookStore webhooks;
  private final WebhookClaims claims;
  private final WebhookSender sender;
  private final Map<String, WebhookEndpoint> endpoints = new ConcurrentHashMap<>();
  private final Map<String, Semaphore> tenants = new ConcurrentHashMap<>();

  WebhookEndpoints(
      CoreContext context, WebhookStore webhooks, WebhookClaims claims, WebhookSender sender) {
    this.context = context;
    this.webhooks = webhooks;
    this.claims = claims;
    this.sender = sender;
  }

  /** Runs a write of the webhooks' own work. */
  static <T> T fenced(CoreContext context, String tenant, Function<Write, T> work) {
    return context.commands().fenced(FencedWrite.WORK_WEBHOOK, tenant, ACTOR, work);
  }

  /** Sends the deliveries of a webhook that is due. */
  void due(DueEntry entry) {
    boolean there =
        fenced(
            context,
            entry.tenant(),
            write -> {
              boolean own =
                  webhooks
                      .state(write.tr(), write.tenant(), entry.id())
                      .filter(state -> WebhookStore.WEBHOOK_STATE.isDue(state, entry))
                      .isPresent();
              if (!own) {
                webhooks.cancel(write, entry);
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
    int slots = context.settings(WebhookOptions.class).slotsOfTenant();
    return new WebhookEndpoint(
        context,
        claims,
        sender,
        tenant,
        webhook,
        tenants.computeIfAbsent(tenant, unused -> new Semaphore(slots)),
        () -> endpoints.remove(tenant + "/" + webhook));
  }
}
