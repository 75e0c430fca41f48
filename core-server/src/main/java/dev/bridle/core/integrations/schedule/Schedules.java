package dev.bridle.core.integrations.schedule;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.task.OrderRules;
import dev.bridle.core.work.task.TaskOrders;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.layer.DueEntry;
import io.grpc.BindableService;

/** Puts together what schedules need. */
public final class Schedules {
  private final ScheduleService service;
  private final ScheduleWork work;

  private Schedules(ScheduleService service, ScheduleWork work) {
    this.service = service;
    this.work = work;
  }

  /**
   * Puts them together.
   *
   * @param workspaces where schedules belong
   * @param orders makes their sessions and tasks
   * @param rules what must hold for these
   * @param most how many schedules a tenant may have
   */
  public static Schedules in(
      CoreContext context,
      WorkspaceStore workspaces,
      TaskOrders orders,
      OrderRules rules,
      int most) {
    ScheduleStore schedules = new ScheduleStore(context.layout(), context.due());
    ScheduleEvents scheduleEvents = new ScheduleEvents(context.events());
    return new Schedules(
        new ScheduleService(
            context.store(),
            context.commands(),
            workspaces,
            schedules,
            new ScheduleRules(rules, most),
            scheduleEvents,
            context.pages()),
        new ScheduleWork(context.commands(), schedules, orders, scheduleEvents));
  }

  /** Returns the service. */
  public BindableService service() {
    return service;
  }

  /** Looks at a schedule that is due. */
  public void due(DueEntry entry) {
    work.due(entry);
  }
}
