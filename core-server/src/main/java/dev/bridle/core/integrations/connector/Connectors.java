package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.integrations.connector.polling.PollRules;
import dev.bridle.core.kernel.auth.TenantSecrets;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.ResourceService;
import dev.bridle.core.work.session.SessionMessages;
import dev.bridle.core.work.task.TaskCreator;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.storage.layer.DueEntry;
import io.grpc.BindableService;
import java.util.List;
import java.util.concurrent.Executor;

/** Wires up the connectors feature. */
public final class Connectors {
  private final ConnectorStore connectors;
  private final DeliveryProcessor processor;
  private final PollRunner polls;
  private final IngressPathMigration paths;
  private final List<BindableService> services;

  private Connectors(
      ConnectorStore connectors,
      DeliveryProcessor processor,
      PollRunner polls,
      IngressPathMigration paths,
      List<BindableService> services) {
    this.connectors = connectors;
    this.processor = processor;
    this.polls = polls;
    this.paths = paths;
    this.services = services;
  }

  /**
   * Creates the feature.
   *
   * @param orders creates sessions and tasks
   * @param client checks URLs and sends requests
   */
  public static Connectors in(CoreContext context, TaskCreator orders, OutboundClient client) {
    PollOptions options = context.settings(PollOptions.class);
    WorkspaceStore workspaces = new WorkspaceStore(context.layout());
    ConnectSecrets secrets = new ConnectSecrets(context);
    ConnectorStore connectors = new ConnectorStore(context.layout());
    DeliveryStore deliveries = new DeliveryStore(context.layout(), context.due());
    ConnectorEvents connectorEvents = new ConnectorEvents(context.events());
    DeliveryIntake intake = new DeliveryIntake(deliveries, connectorEvents, secrets);
    ResourceDef<ConnectorRecord, Connector> resource =
        ResourceDef.of(
                ConnectorStore.CONNECTOR,
                ConnectorServiceGrpc.getServiceDescriptor(),
                Connector.getDefaultInstance(),
                ConnectorRecord::getConnector,
                new ConnectorRules(
                    context, connectors, secrets, new PollRules(client, options.leastInterval())))
            .with(ConnectorActions.all());
    DeliveryProcessor processor =
        new DeliveryProcessor(
            context.commands(),
            connectors,
            deliveries,
            new DeliveryMapper(orders, new SessionMessages(context), connectorEvents, secrets),
            connectorEvents,
            context.environment().background());
    PollBackoff backoff = new PollBackoff(options, context.environment().random());
    PollClaims claims =
        new PollClaims(context.commands(), connectors, options.claimTime(), backoff);
    return new Connectors(
        connectors,
        processor,
        new PollRunner(
            context,
            claims,
            new PollResults(connectors, claims, intake, connectorEvents, backoff),
            processor,
            secrets,
            context.environment().calls().apply(client)),
        new IngressPathMigration(
            context.store(), context.installation(), context.commands(), connectors),
        List.of(
            new ResourceService<>(context, resource, connectors),
            new DeliveryService(
                context, workspaces, connectors, deliveries, processor, connectorEvents),
            new IngressService(
                context.store(),
                context.commands(),
                connectors,
                intake,
                secrets,
                processor,
                context.clock())));
  }

  /** Returns the services. */
  public List<BindableService> services() {
    return services;
  }

  /** Returns the secrets to remove when a tenant is deleted. */
  public TenantSecrets secrets() {
    return connectors;
  }

  /** Migrates data of earlier releases on that executor. */
  public void start(Executor executor) {
    executor.execute(paths::hashAll);
  }

  /** Processes a delivery that is due. */
  public void due(DueEntry entry) {
    processor.due(entry);
  }

  /** Polls for a connector that is due. */
  public void pollDue(DueEntry entry) {
    polls.due(entry);
  }
}
