package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import java.util.List;

/**
 * Prepares webhooks after a restore from a backup: pending deliveries are dropped, since they are
 * old and may have been sent already.
 */
public final class RestoredWebhooks {
  private static final int BATCH = 50;

  private final WebhookStore webhooks;
  private final EventLog log;

  public RestoredWebhooks(KeyLayout layout, DueIndex due, EventLog log) {
    this.webhooks = new WebhookStore(layout, due);
    this.log = log;
  }

  /** Moves a tenant's webhooks to the end of the event log. */
  public void skipToEnd(String tenant, String actor, Commands commands) {
    String from = WebhookStore.PREFIX;
    boolean more = true;
    while (more) {
      String at = from;
      List<WebhookStateRecord> page =
          commands.once(
              tenant,
              actor,
              write -> {
                List<WebhookStateRecord> states = webhooks.states(write.tr(), tenant, at, BATCH);
                EventId end = EventId.lastOf(log.era(write.tr(), tenant), write.tr().readVersion());
                for (WebhookStateRecord state : states) {
                  webhooks.update(
                      write.tr(),
                      tenant,
                      state,
                      state.toBuilder()
                          .setCursor(end.toString())
                          .setDroppedUntil(write.nowMillis())
                          .build());
                }
                return states;
              });
      more = page.size() == BATCH;
      if (more) {
        from = page.get(BATCH - 1).getWebhookId() + "!";
      }
    }
  }
}
