package dev.bridle.core.connector;

import dev.bridle.core.auth.TenantSecrets;
import dev.bridle.core.command.Commands;
import dev.bridle.core.event.Events;
import dev.bridle.core.page.Pages;
import dev.bridle.core.session.SessionMessages;
import dev.bridle.core.task.OrderRules;
import dev.bridle.core.task.TaskOrders;
import dev.bridle.core.vault.ConnectSecrets;
import dev.bridle.core.workspace.WorkspaceStore;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.BindableService;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;

/** Puts together what connectors need. */
public final class Connectors {
  private final ConnectorStore connectors;
  private final DeliveryWork work;
  private final List<BindableService> services;

  private Connectors(ConnectorStore connectors, DeliveryWork work, List<BindableService> services) {
    this.connectors = connectors;
    this.work = work;
    this.services = services;
  }

  /**
   * What deliveries become something in.
   *
   * @param workspaces where connectors belong
   * @param orders makes their sessions and tasks
   * @param orderRules what must hold for these
   * @param messages appends messages
   * @param secrets what deliveries are signed with
   */
  public record Places(
      WorkspaceStore workspaces,
      TaskOrders orders,
      OrderRules orderRules,
      SessionMessages messages,
      ConnectSecrets secrets) {}

  /**
   * Puts them together.
   *
   * @param executor works on deliveries once they are taken
   */
  public static Connectors in(
      KeyValueStore store,
      KeyLayout layout,
      Commands commands,
      Places places,
      DueIndex due,
      Events events,
      Pages pages,
      Clock clock,
      Executor executor) {
    ConnectorStore connectors = new ConnectorStore(layout);
    DeliveryStore deliveries = new DeliveryStore(layout, due);
    ConnectorEvents told = new ConnectorEvents(events);
    ConnectorRules rules = new ConnectorRules(places.orderRules(), places.secrets());
    DeliveryWork work =
        new DeliveryWork(
            commands,
            connectors,
            deliveries,
            new DeliveryResult(places.orders(), places.messages(), told),
            told,
            executor);
    return new Connectors(
        connectors,
        work,
        List.of(
            new ConnectorService(
                store, commands, places.workspaces(), connectors, rules, told, pages),
            new DeliveryService(store, commands, connectors, deliveries, work, told, pages),
            new IngressService(
                store, commands, connectors, deliveries, places.secrets(), told, work, clock)));
  }

  /** Returns the services. */
  public List<BindableService> services() {
    return services;
  }

  /** Returns what ends with a tenant. */
  public TenantSecrets secrets() {
    return connectors;
  }

  /** Looks at a delivery that is due. */
  public void due(DueEntry entry) {
    work.due(entry);
  }
}
