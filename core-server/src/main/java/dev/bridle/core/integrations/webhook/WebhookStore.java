package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.webhook.v1.WebhookStatus;
import java.util.List;
import java.util.Optional;

/**
 * Stores webhooks and their positions in the event feed:
 *
 * <pre>
 * tenant / RECORD / WEBHOOK, id                  → WebhookRecord
 * tenant / INDEX / WEBHOOK, ALL | WORKSPACE, …   → id
 * tenant / RECORD / WEBHOOK_STATE, id            → WebhookStateRecord
 * DUE / WEBHOOK, id                              → when its next delivery is due
 * </pre>
 *
 * <p>The record of a deleted webhook stays in its lists, which skip it; its state stays until its
 * deliveries are removed.
 */
public final class WebhookStore extends TenantRecords<WebhookRecord> {
  /** The definition of webhooks. */
  public static final RecordDef<WebhookRecord> WEBHOOK =
      RecordDef.of(80, "webhook", WebhookRecord.parser())
          .id(record -> record.getWebhook().getId())
          .listed()
          .indexed(RecordDef.BY_WORKSPACE, record -> record.getWebhook().getWorkspaceId())
          .refersTo("workspace", record -> record.getWebhook().getWorkspaceId())
          .refersTo("persona", record -> record.getWebhook().getPersonaId())
          .withStream()
          .build();

  /** The definition of a webhook's state. */
  public static final RecordDef<WebhookStateRecord> WEBHOOK_STATE =
      RecordDef.of(81, "state of a webhook", WebhookStateRecord.parser())
          .id(WebhookStateRecord::getWebhookId)
          .refersTo("webhook", WebhookStateRecord::getWebhookId)
          .due(DueKind.WEBHOOK, WebhookStateRecord::getDueAt)
          .build();

  /** The prefix of webhook ids. */
  static final String PREFIX = "webhook";

  private final RecordStore<WebhookStateRecord> states;
  private final DueIndex due;

  public WebhookStore(KeyLayout layout, DueIndex due) {
    super(layout, WEBHOOK);
    this.states = WEBHOOK_STATE.store(layout);
    this.due = due;
  }

  /** Returns a webhook that the caller may access; {@code resource_not_found} otherwise. */
  @Override
  public WebhookRecord need(ReadTransaction tr, Caller caller, String id) {
    return Optional.of(ever(tr, caller, id))
        .filter(WebhookStore::lives)
        .orElseThrow(() -> ProtocolException.notFound(WEBHOOK.name(), id));
  }

  /** Returns a webhook that the caller may access, even if it is deleted: for repeated commands. */
  WebhookRecord ever(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id)
        .filter(record -> caller.reaches(record.getWebhook().getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound(WEBHOOK.name(), id));
  }

  /** Returns a webhook, even if it is deleted, without checking access. */
  Optional<WebhookRecord> find(ReadTransaction tr, String tenant, String id) {
    return records().get(tr, tenant, id);
  }

  static boolean lives(WebhookRecord record) {
    return record.getDeletedAt() == 0;
  }

  static boolean sends(WebhookRecord record) {
    return lives(record) && record.getWebhook().getStatus() == WebhookStatus.WEBHOOK_STATUS_ACTIVE;
  }

  /** Stores the state of a new webhook, which begins after an event of the feed. */
  void begin(Write write, String id, EventId after) {
    states.insert(
        write.tr(),
        write.tenant(),
        id,
        WebhookStateRecord.newBuilder().setWebhookId(id).setCursor(after.toString()).build());
  }

  Optional<WebhookStateRecord> state(ReadTransaction tr, String tenant, String id) {
    return states.get(tr, tenant, id);
  }

  /** Returns up to {@code limit} states from an id on, in the order of the webhooks' ids. */
  List<WebhookStateRecord> states(ReadTransaction tr, String tenant, String from, int limit) {
    return states.withPrefix(tr, tenant, PREFIX, from, limit);
  }

  /** Stores a webhook's state, and schedules the webhook for its due time. */
  void update(Transaction tr, String tenant, WebhookStateRecord before, WebhookStateRecord state) {
    if (before.equals(state)) {
      return;
    }
    states.update(tr, tenant, state.getWebhookId(), before, state);
    WEBHOOK_STATE.reschedule(due, tr, tenant, before, state);
  }

  /** Removes the state of a deleted webhook. */
  void remove(Transaction tr, String tenant, WebhookStateRecord state) {
    WEBHOOK_STATE.unschedule(due, tr, tenant, state);
    states.remove(tr, tenant, state.getWebhookId());
  }
}
