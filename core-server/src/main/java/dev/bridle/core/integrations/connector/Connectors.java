package dev.bridle.core.integrations.connector;

import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.integrations.connector.polling.PollRules;
import dev.bridle.core.kernel.auth.TenantSecrets;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.work.session.SessionMessages;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.core.work.task.TaskCreator;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.layer.DueEntry;
import io.grpc.BindableService;
import java.util.List;
import java.util.concurrent.Executor;

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
   * Puts them together.
   *
   * @param orders makes their sessions and tasks
   * @param client says what may be called, and calls it
   */
  public static Connectors in(CoreContext context, TaskCreator orders, OutboundClient client) {
    PollOptions options = context.settings(PollOptions.class);
    WorkspaceStore workspaces = new WorkspaceStore(context.layout());
    ConnectSecrets secrets = new ConnectSecrets(context);
    ConnectorStore connectors = new ConnectorStore(context.layout(), context.due());
    DeliveryStore deliveries = new DeliveryStore(context.layout(), context.due());
    ConnectorEvents connectorEvents = new ConnectorEvents(context.events());
    DeliveryIntake intake = new DeliveryIntake(deliveries, connectorEvents);
    ConnectorRules rules =
        new ConnectorRules(
            new TaskCreationRules(context),
            secrets,
            new PollRules(client, options.leastInterval()),
            context.settings(TenantLimits.class).connectors());
    DeliveryWork work =
        new DeliveryWork(
            context.commands(),
            connectors,
            deliveries,
            new DeliveryResult(orders, new SessionMessages(context), connectorEvents),
            connectorEvents,
            context.environment().background());
    PollWaits waits = new PollWaits(options, context.environment().random());
    PollClaims claims = new PollClaims(context.commands(), connectors, options.claimTime(), waits);
    return new Connectors(
        connectors,
        work,
        new PollWork(
            context,
            claims,
            new PollResults(connectors, claims, intake, connectorEvents, waits),
            work,
            secrets,
            context.environment().calls().apply(client)),
        new StoredPaths(context.store(), context.installation(), context.commands(), connectors),
        List.of(
            new ConnectorService(
                context.store(),
                context.commands(),
                workspaces,
                connectors,
                rules,
                connectorEvents,
                context.pages()),
            new DeliveryService(context, workspaces, connectors, deliveries, work, connectorEvents),
            new IngressService(
                context.store(),
                context.commands(),
                connectors,
                intake,
                secrets,
                work,
                context.clock())));
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
