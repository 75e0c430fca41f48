package dev.bridle.core.integrations.schedule;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.ResourceService;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.task.TaskCreator;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import io.grpc.BindableService;
import java.util.concurrent.ScheduledExecutorService;

/** Wires up the schedules feature, an extension of this server. */
public final class Schedules {
  /** The definition of schedules. */
  public static final RecordDef<ScheduleRecord> SCHEDULE =
      RecordDef.of(70, "schedule", ScheduleRecord.parser())
          .id(record -> record.getSchedule().getId())
          .listed()
          .indexed(RecordDef.BY_WORKSPACE, record -> record.getSchedule().getWorkspaceId())
          .refersTo("workspace", record -> record.getSchedule().getWorkspaceId())
          .refersTo("persona", record -> record.getSchedule().getTargetPersonaId())
          .refersTo("session", record -> record.getSchedule().getTargetSessionId())
          .withStream()
          .due(DueKind.SCHEDULE, ScheduleRecord::getDueAt)
          .build();

  private final BindableService service;
  private final ScheduleRunner work;
  private final SetBackClock clock;

  private Schedules(BindableService service, ScheduleRunner work, SetBackClock clock) {
    this.service = service;
    this.work = work;
    this.clock = clock;
  }

  /**
   * Creates the feature.
   *
   * @param orders creates sessions and tasks
   */
  public static Schedules in(CoreContext context, TaskCreator orders) {
    TenantRecords<ScheduleRecord> schedules = new TenantRecords<>(context.layout(), SCHEDULE);
    ResourceDef<ScheduleRecord, Schedule> resource =
        ResourceDef.of(
                SCHEDULE,
                ScheduleServiceGrpc.getServiceDescriptor(),
                Schedule.getDefaultInstance(),
                ScheduleRecord::getSchedule,
                new ScheduleRules(context, schedules.records()))
            .with(SchedulePauses.actions());
    return new Schedules(
        new ResourceService<>(context, resource),
        new ScheduleRunner(
            context.commands(), schedules, orders, new ScheduleEvents(context.events())),
        new SetBackClock(context, schedules));
  }

  /** Returns the service. */
  public BindableService service() {
    return service;
  }

  /** Looks from now on whether the clock was set back. */
  public void start(ScheduledExecutorService sweeps) {
    clock.start(sweeps);
  }

  /** Runs a schedule that is due. */
  public void due(DueEntry entry) {
    clock.used();
    work.due(entry);
  }
}
