package dev.bridle.core.integrations.schedule;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.task.OrderRules;
import dev.bridle.core.work.task.TaskOrders;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.KeyLayout;
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
      KeyValueStore store,
      KeyLayout layout,
      Commands commands,
      WorkspaceStore workspaces,
      TaskOrders orders,
      OrderRules rules,
      int most,
      DueIndex due,
      Events events,
      Pages pages) {
    ScheduleStore schedules = new ScheduleStore(layout, due);
    ScheduleEvents told = new ScheduleEvents(events);
    return new Schedules(
        new ScheduleService(
            store, commands, workspaces, schedules, new ScheduleRules(rules, most), told, pages),
        new ScheduleWork(commands, schedules, orders, told));
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
