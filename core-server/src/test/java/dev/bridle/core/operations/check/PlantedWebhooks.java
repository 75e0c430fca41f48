package dev.bridle.core.operations.check;

import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.record.v1.WebhookAgendaRecord;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import java.util.List;

/** Faults in webhooks and what they have to send. */
final class PlantedWebhooks {
  private static final long WEBHOOK = 80;
  private static final long STATE = 81;
  private static final long DELIVERY = 82;
  private static final long AGENDA = 83;
  private static final long LINE = 84;
  private static final long DUE = 10;

  private PlantedWebhooks() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
                FaultKind.DUE_MISSING,
                "the due entry of a webhook lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.DUE).stream()
                      .filter(row -> row.key().text(4).equals(tenant.webhook))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.webhook;
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a due entry of a webhook that is due at another time",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) DueIndex.shardOf(tenant.webhook),
                          5L,
                          DUE,
                          Stored.TENANT,
                          tenant.webhook),
                      new byte[0]);
                  return tenant.webhook;
                })
            .mended(),
        Plant.of(
                FaultKind.INDEX_MISSING,
                "a webhook that its workspace's list lacks",
                (tenant, stored) -> {
                  stored.list(TenantSpace.INDEX, WEBHOOK, 1L).forEach(r -> stored.clear(r.raw()));
                  return tenant.webhook;
                })
            .mended("index"),
        Plant.of(
                FaultKind.WEBHOOK_WRONG,
                "a webhook that does not know how far it is",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.RECORD, STATE, tenant.webhook));
                  return tenant.webhook;
                })
            .mendedBeside("due"),
        Plant.of(
            FaultKind.WEBHOOK_WRONG,
            "a webhook whose place is none",
            (tenant, stored) -> {
              stored.<WebhookStateRecord>changed(
                  STATE,
                  tenant.webhook,
                  WebhookStateRecord.parser(),
                  state -> state.toBuilder().setCursor("nowhere").build());
              return tenant.webhook;
            }),
        Plant.of(
            FaultKind.WEBHOOK_WRONG,
            "a delivery that waits in no line",
            (tenant, stored) -> {
              stored.list(TenantSpace.RECORD, LINE).forEach(row -> stored.clear(row.raw()));
              return delivery(tenant);
            }),
        Plant.of(
            FaultKind.WEBHOOK_WRONG,
            "a delivery that no agenda names",
            (tenant, stored) -> {
              stored.list(TenantSpace.RECORD, AGENDA).forEach(row -> stored.clear(row.raw()));
              return delivery(tenant);
            }),
        Plant.of(
            FaultKind.WEBHOOK_WRONG,
            "a delivery that is done and stands in its line",
            (tenant, stored) -> {
              stored.<WebhookDeliveryRecord>changed(
                  DELIVERY,
                  delivery(tenant),
                  WebhookDeliveryRecord.parser(),
                  record -> {
                    WebhookDeliveryRecord.Builder done = record.toBuilder();
                    done.getDeliveryBuilder()
                        .setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED);
                    return done.build();
                  });
              return delivery(tenant);
            }),
        Plant.of(
            FaultKind.WEBHOOK_WRONG,
            "an agenda that names a delivery at another time",
            (tenant, stored) -> {
              String id = tenant.webhook + "/0000000000000005/" + tenant.webhookDelivery;
              stored.put(
                  stored.key(TenantSpace.RECORD, AGENDA, id),
                  WebhookAgendaRecord.newBuilder()
                      .setWebhookId(tenant.webhook)
                      .setAt(5)
                      .setDeliveryId(tenant.webhookDelivery)
                      .build());
              stored.flush();
              return id;
            }),
        Plant.of(
            FaultKind.REFERENCE_BROKEN,
            "an agenda of a delivery that is not there",
            (tenant, stored) -> {
              String id = tenant.webhook + "/0000000000000005/none";
              stored.put(
                  stored.key(TenantSpace.RECORD, AGENDA, id),
                  WebhookAgendaRecord.newBuilder()
                      .setWebhookId(tenant.webhook)
                      .setAt(5)
                      .setDeliveryId("none")
                      .build());
              stored.flush();
              return id;
            }));
  }

  private static String delivery(RealTenant tenant) {
    return tenant.webhook + "/" + tenant.webhookDelivery;
  }
}
