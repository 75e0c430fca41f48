package dev.bridle.core.operations.check.resource;

import com.google.protobuf.MessageLite;
import dev.bridle.core.integrations.webhook.WebhookDeliveryStore;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import java.util.Optional;

/**
 * Checks that every delivery of a webhook is in its line while waiting, and in the agenda when due.
 */
public final class WebhookDeliveriesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("deliveries of webhooks of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    each(
        scope,
        WebhookDeliveryStore.WEBHOOK_DELIVERY,
        (tr, delivery) -> wrong(records, tr, delivery));
    each(
        scope,
        WebhookDeliveryStore.WEBHOOK_AGENDA,
        (tr, row) ->
            delivery(records, tr, row.getWebhookId(), row.getDeliveryId())
                    .filter(record -> record.getDueAt() == row.getAt())
                    .isPresent()
                ? ""
                : "The agenda of a webhook refers to a delivery that is not due then.");
    each(
        scope,
        WebhookDeliveryStore.WEBHOOK_LINE,
        (tr, row) ->
            delivery(records, tr, row.getWebhookId(), row.getDeliveryId())
                    .filter(WebhookDeliveriesCheck::waits)
                    .isPresent()
                ? ""
                : "A line of a webhook refers to a delivery that is not waiting.");
  }

  /** Describes what is wrong with a record; empty if nothing is. */
  private interface Look<M> {
    String at(ReadTransaction tr, M record);
  }

  private static <M extends MessageLite> void each(
      CheckScope scope, RecordDef<M> kind, Look<M> look) {
    RowCheck.eachRecord(
        scope,
        kind,
        (tr, id, record) -> {
          String wrong = look.at(tr, record);
          return wrong.isEmpty()
              ? Optional.empty()
              : Optional.of(Fault.of(FaultKind.WEBHOOK_WRONG, scope.tenant(), id, wrong));
        });
  }

  private static String wrong(Records records, ReadTransaction tr, WebhookDeliveryRecord record) {
    WebhookDelivery delivery = record.getDelivery();
    String line =
        WebhookDeliveryStore.line(delivery.getWebhookId(), record.getLine(), record.getPlace());
    boolean stands = records.find(tr, WebhookDeliveryStore.WEBHOOK_LINE, line).isPresent();
    if (stands != waits(record)) {
      return stands
          ? "The delivery is no longer waiting, but is in its line."
          : "The delivery is waiting, but is in no line.";
    }
    if (record.getDueAt() == 0) {
      return stands ? "" : "The delivery is never removed: it has no due time.";
    }
    String due =
        WebhookDeliveryStore.agenda(delivery.getWebhookId(), record.getDueAt(), delivery.getId());
    return records.find(tr, WebhookDeliveryStore.WEBHOOK_AGENDA, due).isPresent()
        ? ""
        : "The delivery is not in its webhook's agenda.";
  }

  private static boolean waits(WebhookDeliveryRecord record) {
    return record.getDelivery().getStatus()
        == WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING;
  }

  private static Optional<WebhookDeliveryRecord> delivery(
      Records records, ReadTransaction tr, String webhook, String id) {
    return records.find(
        tr, WebhookDeliveryStore.WEBHOOK_DELIVERY, WebhookDeliveryStore.id(webhook, id));
  }
}
