package dev.bridle.core.integrations.connector;

import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.integrations.connector.polling.PollRules;
import dev.bridle.core.kernel.auth.TenantSecrets;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.work.session.SessionMessages;
import dev.bridle.core.work.task.OrderRules;
import dev.bridle.core.work.task.TaskOrders;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.Installation;
import io.grpc.BindableService;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Puts together what connectors need. */
public final class Connectors {
  private final ConnectorStore connectors;
  private final DeliveryWork work;
  private final PollWork polls;
  private final StoredPaths paths;
  private final List<BindableService> services;

  private Connectors(
      ConnectorStore connectors,
      DeliveryWork work,
      PollWork polls,
      StoredPaths paths,
      List<BindableService> services) {
    this.connectors = connectors;
    this.work = work;
    this.polls = polls;
    this.paths = paths;
    this.services = services;
  }

  /**
   * What deliveries become something in.
   *
   * @param workspaces where connectors belong
   * @param orders makes their sessions and tasks
   * @param orderRules what must hold for these
   * @param messages appends messages
   * @param secrets what deliveries are signed with, and polls prove themselves by
   */
  public record Places(
      WorkspaceStore workspaces,
      TaskOrders orders,
      OrderRules orderRules,
      SessionMessages messages,
      ConnectSecrets secrets) {}

  /**
   * How deliveries are taken, fetched and worked on.
   *
   * @param client knows what may be called
   * @param calls calls out
   * @param polls times and bounds of polls
   * @param most how many connectors a tenant may have
   * @param clock wall time
   * @param random what waits are left to
   * @param executor works on deliveries once they are taken, and on polls
   */
  public record Working(
      OutboundClient client,
      OutboundCalls calls,
      PollOptions polls,
      int most,
      Clock clock,
      RandomGenerator random,
      Executor executor) {}

  /** Puts them together. */
  public static Connectors in(
      CoreContext context, Installation installation, Places places, Working means) {
    ConnectorStore connectors = new ConnectorStore(context.layout(), context.due());
    DeliveryStore deliveries = new DeliveryStore(context.layout(), context.due());
    ConnectorEvents connectorEvents = new ConnectorEvents(context.events());
    DeliveryIntake intake = new DeliveryIntake(deliveries, connectorEvents);
    ConnectorRules rules =
        new ConnectorRules(
            places.orderRules(),
            places.secrets(),
            new PollRules(means.client(), means.polls().leastInterval()),
            means.most());
    DeliveryWork work =
        new DeliveryWork(
            context.commands(),
            connectors,
            deliveries,
            new DeliveryResult(places.orders(), places.messages(), connectorEvents),
            connectorEvents,
            means.executor());
    PollWaits waits = new PollWaits(means.polls(), means.random());
    PollClaims claims =
        new PollClaims(context.commands(), connectors, means.polls().claimTime(), waits);
    return new Connectors(
        connectors,
        work,
        new PollWork(
            context.store(),
            claims,
            new PollResults(connectors, claims, intake, connectorEvents, waits),
            work,
            places.secrets(),
            means),
        new StoredPaths(context.store(), installation, context.commands(), connectors),
        List.of(
            new ConnectorService(
                context.store(),
                context.commands(),
                places.workspaces(),
                connectors,
                rules,
                connectorEvents,
                context.pages()),
            new DeliveryService(
                context, places.workspaces(), connectors, deliveries, work, connectorEvents),
            new IngressService(
                context.store(),
                context.commands(),
                connectors,
                intake,
                places.secrets(),
                work,
                means.clock())));
  }

  /** Returns the services. */
  public List<BindableService> services() {
    return services;
  }

  /** Returns what ends with a tenant. */
  public TenantSecrets secrets() {
    return connectors;
  }

  /** Mends, on that executor, what earlier releases stored otherwise. */
  public void start(Executor executor) {
    executor.execute(paths::hashAll);
  }

  /** Looks at a delivery that is due. */
  public void due(DueEntry entry) {
    work.due(entry);
  }

  /** Looks at a connector that is due to poll. */
  public void pollDue(DueEntry entry) {
    polls.due(entry);
  }
}
