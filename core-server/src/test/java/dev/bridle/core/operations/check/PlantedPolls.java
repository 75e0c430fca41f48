package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.PollSeenRecord;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;

/** Faults in how connectors poll. */
final class PlantedPolls {
  private static final long CONNECTOR = 60;
  private static final long SEEN = 64;
  private static final long DUE = 11;

  private PlantedPolls() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
                FaultKind.DUE_MISSING,
                "the due entry of a connector that polls lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.DUE).stream()
                      .filter(row -> row.key().text(4).equals(tenant.poller))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.poller;
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a connector that does not poll is due",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) DueIndex.shardOf(tenant.connector),
                          5L,
                          DUE,
                          Stored.TENANT,
                          tenant.connector),
                      new byte[0]);
                  return tenant.connector;
                })
            .mended(),
        Plant.of(
            FaultKind.POLL_WRONG,
            "a paused connector that polls",
            (tenant, stored) -> {
              stored.<ConnectorRecord>changed(
                  CONNECTOR,
                  tenant.poller,
                  ConnectorRecord.parser(),
                  record -> {
                    ConnectorRecord.Builder after = record.toBuilder();
                    after.getConnectorBuilder().setStatus(ConnectorStatus.CONNECTOR_STATUS_PAUSED);
                    return after.build();
                  });
              return tenant.poller;
            }),
        Plant.of(
            FaultKind.POLL_WRONG,
            "what a connector saw cut short",
            (tenant, stored) -> {
              stored.set(
                  stored.key(TenantSpace.RECORD, SEEN, tenant.poller),
                  Stored.whole(
                      PollSeenRecord.newBuilder()
                          .setConnectorId(tenant.poller)
                          .setKeys(ByteString.copyFrom(new byte[5]))
                          .build()));
              return tenant.poller;
            }));
  }
}
