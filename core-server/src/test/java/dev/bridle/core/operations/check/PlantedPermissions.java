package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Faults in permission requests and standing grants. */
final class PlantedPermissions {
  private static final long PERMISSION = 30;
  private static final long GRANT = 31;

  private PlantedPermissions() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
            FaultKind.TASK_INCONSISTENT,
            "a task whose permission request is decided behind its back",
            (tenant, stored) -> {
              change(
                  stored,
                  tenant.permission,
                  record ->
                      record
                          .getRequestBuilder()
                          .setStatus(PermissionStatus.PERMISSION_STATUS_APPROVED));
              return tenant.permitted;
            }),
        Plant.of(
            FaultKind.TASK_INCONSISTENT,
            "a task that forgot what it waits with",
            (tenant, stored) -> {
              stored.change(tenant.permitted, task -> task.setPermissionRequestId(""));
              return tenant.permitted;
            }),
        Plant.of(
            FaultKind.PERMISSION_WRONG,
            "a pending permission request that its task does not wait with",
            (tenant, stored) -> {
              stored.change(tenant.permitted, task -> task.setPermissionRequestId(""));
              return tenant.permission;
            }),
        Plant.of(
            FaultKind.PERMISSION_WRONG,
            "a permission request that shows other content than its hash says",
            (tenant, stored) -> {
              change(
                  stored,
                  tenant.usedPermission,
                  record -> record.getRequestBuilder().getActionBuilder().setKind("edit"));
              return tenant.usedPermission;
            }),
        Plant.of(
            FaultKind.PERMISSION_WRONG,
            "a permission that was approved with other arguments than its fingerprint says",
            (tenant, stored) -> {
              change(
                  stored,
                  tenant.changedPermission,
                  record ->
                      record
                          .getRequestBuilder()
                          .getResponseBuilder()
                          .setArguments(ByteString.copyFromUtf8("{\"path\":\"c\"}")));
              return tenant.changedPermission;
            }),
        Plant.of(
                FaultKind.INDEX_MISSING,
                "a permission request that is not found by the action that was approved",
                (tenant, stored) -> {
                  stored.list(TenantSpace.INDEX, PERMISSION, 4L).stream()
                      .filter(
                          row ->
                              stored
                                  .rows
                                  .text(row.value())
                                  .equals(Optional.of(tenant.changedPermission)))
                      .reduce((first, last) -> last)
                      .ifPresent(row -> stored.clear(row.raw()));
                  return tenant.changedPermission;
                })
            .mended("index"),
        Plant.of(
            FaultKind.PERMISSION_WRONG,
            "a permission that was used without an approval",
            (tenant, stored) -> {
              change(
                  stored,
                  tenant.usedPermission,
                  record ->
                      record
                          .getRequestBuilder()
                          .setStatus(PermissionStatus.PERMISSION_STATUS_DENIED));
              return tenant.usedPermission;
            }),
        Plant.of(
                FaultKind.PERMISSION_WRONG,
                "a pending permission request that never expires",
                (tenant, stored) -> {
                  change(stored, tenant.permission, record -> record.setDueAt(0));
                  return tenant.permission;
                })
            .mendedBeside("due"),
        Plant.of(
                FaultKind.DUE_MISSING,
                "the due entry of a permission request lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.DUE).stream()
                      .filter(row -> row.key().text(4).equals(tenant.permission))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.permission;
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a due entry of a permission request that is decided",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) Math.floorMod(tenant.usedPermission.hashCode(), 4),
                          5L,
                          6L,
                          Stored.TENANT,
                          tenant.usedPermission),
                      new byte[0]);
                  return tenant.usedPermission;
                })
            .mended(),
        Plant.of(
            FaultKind.REFERENCE_BROKEN,
            "a standing grant of a request that is not there",
            (tenant, stored) -> {
              stored.<PermissionGrantRecord>changed(
                  GRANT,
                  tenant.grant,
                  PermissionGrantRecord.parser(),
                  record -> {
                    PermissionGrantRecord.Builder other = record.toBuilder();
                    other.getGrantBuilder().setRequestId("permission_none");
                    return other.build();
                  });
              return tenant.grant;
            }),
        Plant.of(
                FaultKind.INDEX_MISSING,
                "a permission request that its task's list lacks",
                (tenant, stored) -> {
                  stored
                      .list(TenantSpace.INDEX, PERMISSION, 3L, tenant.permitted)
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.permission;
                })
            .mended("index"));
  }

  private static void change(Stored stored, String id, Consumer<PermissionRecord.Builder> change) {
    stored.<PermissionRecord>changed(
        PERMISSION,
        id,
        PermissionRecord.parser(),
        record -> {
          PermissionRecord.Builder other = record.toBuilder();
          change.accept(other);
          return other.build();
        });
  }
}
