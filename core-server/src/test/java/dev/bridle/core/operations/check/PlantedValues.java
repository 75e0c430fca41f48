package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.record.v1.SigningKeyRecord;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Arrays;
import java.util.List;

/** Faults in the few values that a tenant and the installation keep of themselves. */
final class PlantedValues {
  private static final byte[] DAMAGED = {(byte) 0xff, 1, 2};
  private static final byte[] FILE = new byte[32];

  private PlantedValues() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "a floor that is no event's id",
            (tenant, stored) -> {
              stored.set(stored.key(TenantSpace.FLOOR, tenant.session), DAMAGED);
              return tenant.session;
            }),
        Plant.of(
            FaultKind.FLOOR_WRONG,
            "a floor above events of its stream",
            (tenant, stored) -> {
              stored.set(stored.key(TenantSpace.FLOOR, tenant.session), newest(tenant, stored));
              return tenant.session;
            }),
        Plant.of(
            FaultKind.FLOOR_WRONG,
            "a floor of a stream that there has never been",
            (tenant, stored) -> {
              stored.set(stored.key(TenantSpace.FLOOR, "session_none"), newest(tenant, stored));
              return "session_none";
            }),
        Plant.of(
            FaultKind.FLOOR_WRONG,
            "a floor of the tenant above those of all streams",
            (tenant, stored) -> {
              stored.set(stored.key(TenantSpace.FLOOR, ""), newest(tenant, stored));
              return Stored.TENANT;
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "a signing key without its private half",
            (tenant, stored) -> {
              byte[] half =
                  SigningKeyRecord.newBuilder()
                      .setPublicKey(ByteString.copyFrom(new byte[32]))
                      .setCreatedAt(1)
                      .build()
                      .toByteArray();
              stored.set(stored.rows.key(SystemSpace.SIGNING_KEY, "token", "k1"), half);
              return "token/k1";
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "an era that can't be read",
            (tenant, stored) -> {
              stored.set(stored.key(TenantSpace.ERA), DAMAGED);
              return Stored.TENANT;
            }),
        Plant.of(
            FaultKind.ERA_WRONG,
            "an era below that of the newest events",
            (tenant, stored) -> {
              stored.set(stored.key(TenantSpace.ERA), stored.rows.value(0));
              return Stored.TENANT;
            }),
        Plant.of(
            FaultKind.ERA_WRONG,
            "the log of a tenant closed that nobody deletes",
            (tenant, stored) -> {
              stored.set(stored.key(TenantSpace.ERA), stored.rows.value(-5));
              return Stored.TENANT;
            }),
        Plant.of(
            FaultKind.ERA_WRONG,
            "an era below that of an import",
            (tenant, stored) -> {
              stored.set(
                  stored.key(TenantSpace.IMPORT, (Object) FILE),
                  ImportRecord.newBuilder().setEra(60_000).build().toByteArray());
              return Stored.TENANT;
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "the record of an import damaged",
            (tenant, stored) -> {
              stored.set(stored.key(TenantSpace.IMPORT, (Object) FILE), DAMAGED);
              return "00".repeat(32);
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "a secret of the installation lost",
            (tenant, stored) -> {
              stored.clear(stored.rows.key(SystemSpace.INSTALLATION, "request-hash"));
              return "request-hash";
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "a secret of the installation cut short",
            (tenant, stored) -> {
              byte[] key = stored.rows.key(SystemSpace.INSTALLATION, "cursor");
              stored.set(key, Arrays.copyOf(stored.value(key), 31));
              return "cursor";
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "the id of the installation damaged",
            (tenant, stored) -> {
              stored.set(stored.rows.key(SystemSpace.INSTALLATION, "id"), DAMAGED);
              return "id";
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "the mark of the workspace root damaged",
            (tenant, stored) -> {
              stored.set(stored.rows.key(SystemSpace.INSTALLATION, "workspace-root"), DAMAGED);
              return "workspace-root";
            }),
        Plant.of(
            FaultKind.KEY_UNKNOWN,
            "something of the installation that nothing writes",
            (tenant, stored) -> {
              stored.set(stored.rows.key(SystemSpace.INSTALLATION, "other"), new byte[32]);
              return "other";
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "a number of partitions that can't be read",
            (tenant, stored) -> {
              stored.set(stored.rows.key(SystemSpace.PARTITIONS), DAMAGED);
              return "partitions";
            }));
  }

  private static byte[] newest(RealTenant tenant, Stored stored) {
    return stored.value(stored.key(TenantSpace.LAST_EVENT, tenant.session));
  }
}
