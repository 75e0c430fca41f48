package dev.bridle.core.operations.check;

import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.ScheduleStatus;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;

/** Faults in schedules and their next runs. */
final class PlantedSchedules {
  private static final long SCHEDULE = 70;
  private static final long DUE = 9;

  private PlantedSchedules() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
                FaultKind.DUE_MISSING,
                "the due entry of a schedule lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.DUE).stream()
                      .filter(row -> row.key().text(4).equals(tenant.schedule))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.schedule;
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a due entry of a schedule that is due at another time",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) Math.floorMod(tenant.schedule.hashCode(), 4),
                          5L,
                          DUE,
                          Stored.TENANT,
                          tenant.schedule),
                      new byte[0]);
                  return tenant.schedule;
                })
            .mended(),
        Plant.of(
            FaultKind.SCHEDULE_WRONG,
            "a paused schedule that is due",
            (tenant, stored) -> {
              stored.<ScheduleRecord>changed(
                  SCHEDULE,
                  tenant.schedule,
                  ScheduleRecord.parser(),
                  record -> {
                    ScheduleRecord.Builder after = record.toBuilder();
                    after.getScheduleBuilder().setStatus(ScheduleStatus.SCHEDULE_STATUS_PAUSED);
                    return after.build();
                  });
              return tenant.schedule;
            }),
        Plant.of(
                FaultKind.INDEX_MISSING,
                "a schedule that its workspace's list lacks",
                (tenant, stored) -> {
                  stored
                      .list(TenantSpace.INDEX, SCHEDULE, 1L)
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.schedule;
                })
            .mended("index"));
  }
}
