package dev.bridle.core.operations.check;

import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.record.v1.DeadLetterRecord;
import dev.bridle.record.v1.DeliveryKeyRecord;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;

/** Faults in connectors and what came in at them. */
final class PlantedConnectors {
  private static final long BODY = 62;
  private static final long KEY = 63;
  private static final long LETTER = 65;
  private static final long DELIVERY_DUE = 7;

  private PlantedConnectors() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
                FaultKind.INGRESS_WRONG,
                "the path of a connector lost",
                (tenant, stored) -> {
                  stored.clear(path(stored).raw());
                  return tenant.connector;
                })
            .mended(),
        Plant.of(
                FaultKind.INGRESS_WRONG,
                "a path that is not its connector's",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(SystemSpace.INGRESS, (Object) new byte[32]),
                      path(stored).value());
                  return tenant.connector;
                })
            .mended(),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "the owner of a path damaged",
            (tenant, stored) -> {
              stored.set(
                  stored.rows.key(SystemSpace.INGRESS, (Object) new byte[32]), new byte[] {1});
              return "ingress";
            }),
        Plant.of(
            FaultKind.DELIVERY_WRONG,
            "the body of a failed delivery lost",
            (tenant, stored) -> {
              String id = tenant.connector + "/" + tenant.failedDelivery;
              stored.clear(stored.key(TenantSpace.RECORD, BODY, id));
              return id;
            }),
        Plant.of(
                FaultKind.DELIVERY_WRONG,
                "a failed delivery that is not among the dead letters",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.RECORD, LETTER, tenant.failedDelivery));
                  return tenant.failedDelivery;
                })
            .mended(),
        Plant.of(
            FaultKind.DELIVERY_WRONG,
            "a delivery among the dead letters that has not failed",
            (tenant, stored) -> {
              stored.set(
                  stored.key(TenantSpace.RECORD, LETTER, tenant.doneDelivery),
                  Stored.whole(
                      DeadLetterRecord.newBuilder()
                          .setConnectorId(tenant.connector)
                          .setDeliveryId(tenant.doneDelivery)
                          .build()));
              return tenant.doneDelivery;
            }),
        Plant.of(
                FaultKind.DUE_MISSING,
                "a delivery that nobody will forget",
                (tenant, stored) -> {
                  String id = tenant.connector + "/" + tenant.doneDelivery;
                  stored.list(SystemSpace.DUE).stream()
                      .filter(row -> row.key().text(4).equals(id))
                      .forEach(row -> stored.clear(row.raw()));
                  return id;
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a delivery that is not there is due",
                (tenant, stored) -> {
                  String id = tenant.connector + "/delivery_none";
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) DueIndex.shardOf(id),
                          1L,
                          DELIVERY_DUE,
                          Stored.TENANT,
                          id),
                      new byte[0]);
                  return id;
                })
            .mended(),
        Plant.of(
            FaultKind.REFERENCE_BROKEN,
            "a dedupe key of a delivery that is not there",
            (tenant, stored) -> {
              String id = stored.list(TenantSpace.RECORD, KEY).get(0).key().text(1);
              stored.<DeliveryKeyRecord>changed(
                  KEY,
                  id,
                  DeliveryKeyRecord.parser(),
                  record -> record.toBuilder().setDeliveryId("delivery_none").build());
              return id;
            }));
  }

  private static Row path(Stored stored) {
    return stored.list(SystemSpace.INGRESS).get(0);
  }
}
