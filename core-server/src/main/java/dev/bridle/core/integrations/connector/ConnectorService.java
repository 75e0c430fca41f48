package dev.bridle.core.integrations.connector;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DeleteConnectorRequest;
import dev.bridle.connector.v1.DeleteConnectorResponse;
import dev.bridle.connector.v1.GetConnectorRequest;
import dev.bridle.connector.v1.ListConnectorsRequest;
import dev.bridle.connector.v1.ListConnectorsResponse;
import dev.bridle.connector.v1.PauseConnectorRequest;
import dev.bridle.connector.v1.PollConnectorRequest;
import dev.bridle.connector.v1.RenewConnectorIngressRequest;
import dev.bridle.connector.v1.ResumeConnectorRequest;
import dev.bridle.connector.v1.UpdateConnectorRequest;
import dev.bridle.core.integrations.connector.polling.PollRules;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.Secrets;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Connectors (protocol section "Connector"). */
final class ConnectorService extends ConnectorServiceGrpc.ConnectorServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final ConnectorStore connectors;
  private final ConnectorRules rules;
  private final ConnectorEvents events;
  private final Pages pages;

  ConnectorService(
      KeyValueStore store,
      Commands commands,
      WorkspaceStore workspaces,
      ConnectorStore connectors,
      ConnectorRules rules,
      ConnectorEvents events,
      Pages pages) {
    this.store = store;
    this.commands = commands;
    this.workspaces = workspaces;
    this.connectors = connectors;
    this.rules = rules;
    this.events = events;
    this.pages = pages;
  }

  @Override
  public void listConnectors(
      ListConnectorsRequest request, StreamObserver<ListConnectorsResponse> response) {
    Caller caller = Caller.current();
    Pages.Page<ConnectorRecord> page = store.read(tr -> page(tr, caller, request));
    ListConnectorsResponse.Builder list = ListConnectorsResponse.newBuilder().setPage(page.info());
    page.rows().forEach(record -> list.addData(ConnectorStore.toResource(record)));
    Replies.send(response, list.build());
  }

  private Pages.Page<ConnectorRecord> page(
      ReadTransaction tr, Caller caller, ListConnectorsRequest request) {
    if (request.hasWorkspaceId()
        && workspaces.find(tr, caller, request.getWorkspaceId()).isEmpty()) {
      return Pages.Page.none();
    }
    int index = request.hasWorkspaceId() ? ConnectorStore.WORKSPACE : ConnectorStore.ALL;
    return pages.read(
        tr,
        connectors.records(),
        Pages.Ask.of(request, index, request.getWorkspaceId(), true),
        record ->
            ConnectorStore.lives(record) && caller.reaches(record.getConnector().getWorkspaceId()));
  }

  @Override
  public void createConnector(CreateConnectorRequest request, StreamObserver<Connector> response) {
    Caller caller = Caller.current();
    ConnectorRules.needMaker(caller);
    Connector made =
        commands.run(
            request,
            "",
            write -> workspaces.referenced(write.tr(), caller, request.getWorkspaceId()).getId(),
            write -> create(write, caller, request),
            ConnectorStore::withoutPath,
            Connector.getDefaultInstance());
    Replies.send(response, made);
  }

  private Connector create(Write write, Caller caller, CreateConnectorRequest request) {
    Connector.Builder made =
        Members.create(write, write.id("connector"), request, Connector.getDefaultInstance())
            .toBuilder()
            .setStatus(ConnectorStatus.CONNECTOR_STATUS_ACTIVE);
    if (made.hasWebhook()) {
      made.getWebhookBuilder().clearPath();
    }
    if (made.hasPolling()) {
      made.setPolling(PollRules.withDefaults(made.getPolling()));
    }
    Connector connector = made.build();
    rules.check(write, caller, connector);
    rules.needRoom(write, connectors);
    Ingress ingress =
        withIngress(write, ConnectorRecord.newBuilder().setConnector(connector).build());
    ConnectorRecord record =
        PollStates.afterChange(
            ConnectorRecord.getDefaultInstance(), ingress.record(), write.nowMillis());
    connectors.insert(write, record);
    events.append(
        write,
        connector,
        EventDraft.of(
            EventKinds.CONNECTOR_CREATED,
            Members.createdFacts(ConnectorEvents.withoutSecrets(connector))));
    return ingress.shown(record);
  }

  /**
   * Creates an ingress path for a connector that accepts deliveries, and removes that of one that
   * does not.
   */
  private static Ingress withIngress(Write write, ConnectorRecord record) {
    if (!record.getConnector().hasWebhook()) {
      return new Ingress(IngressHash.without(record), Optional.empty());
    }
    return IngressHash.of(record).isEmpty()
        ? newIngress(write, record)
        : new Ingress(record, Optional.empty());
  }

  private static Ingress newIngress(Write write, ConnectorRecord record) {
    String id = Secrets.spell(Secrets.INGRESS, write.salt(Secrets.BYTES));
    return new Ingress(IngressHash.with(record, id), Optional.of(id));
  }

  /**
   * A connector's ingress path.
   *
   * @param record the connector with the hash of the path
   * @param made the last segment of the path, if it was created in this transaction: it is returned
   *     only once
   */
  private record Ingress(ConnectorRecord record, Optional<String> made) {
    Connector shown(ConnectorRecord stored) {
      Connector connector = ConnectorStore.toResource(stored);
      return made.map(id -> ConnectorStore.withPath(connector, id)).orElse(connector);
    }

    /** Omits the path, which is a secret. */
    @Override
    public String toString() {
      return "Ingress[" + record.getConnector().getId() + "]";
    }
  }

  @Override
  public void getConnector(GetConnectorRequest request, StreamObserver<Connector> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        ConnectorStore.toResource(
            store.read(tr -> connectors.need(tr, caller, request.getConnectorId()))));
  }

  @Override
  public void updateConnector(UpdateConnectorRequest request, StreamObserver<Connector> response) {
    Caller caller = Caller.current();
    ConnectorRules.needMaker(caller);
    UpdateConnectorRequest.Builder asked = request.toBuilder();
    if (asked.hasWebhook()) {
      asked.getWebhookBuilder().clearPath();
    }
    if (asked.hasPolling()) {
      asked.setPolling(PollRules.withDefaults(asked.getPolling()));
    }
    UpdateConnectorRequest change = asked.build();
    Replies.send(
        response,
        on(
            request,
            request.getConnectorId(),
            (write, before) -> update(write, caller, before, change),
            ConnectorStore::withoutPath,
            Connector.getDefaultInstance()));
  }

  private Connector update(
      Write write, Caller caller, ConnectorRecord before, UpdateConnectorRequest request) {
    return Members.applyMask(write, before.getConnector(), request, request.getUpdateMask())
        .map(
            change -> {
              rules.check(write, caller, change.resource());
              return store(write, before, change.resource(), changedFacts(write, before, request));
            })
        .orElseGet(() -> ConnectorStore.toResource(before));
  }

  /**
   * Returns the changed members for the event, without the parts of the polling that may be secret.
   */
  private static Payload changedFacts(
      Write write, ConnectorRecord before, UpdateConnectorRequest request) {
    UpdateConnectorRequest.Builder shown = request.toBuilder();
    if (shown.hasPolling()) {
      shown.setPolling(ConnectorEvents.withoutSecrets(shown.getPolling()));
    }
    return Members.applyMask(
            write,
            ConnectorEvents.withoutSecrets(before.getConnector()),
            shown.build(),
            request.getUpdateMask())
        .map(Members.Change::changedFields)
        .orElseGet(() -> Payload.of().flag("polling_changed", true));
  }

  @Override
  public void pollConnector(PollConnectorRequest request, StreamObserver<Connector> response) {
    Replies.send(
        response,
        on(request, request.getConnectorId(), this::pollNow, Connector.getDefaultInstance()));
  }

  @Override
  public void pauseConnector(PauseConnectorRequest request, StreamObserver<Connector> response) {
    setStatus(request, request.getConnectorId(), ConnectorStatus.CONNECTOR_STATUS_PAUSED, response);
  }

  @Override
  public void resumeConnector(ResumeConnectorRequest request, StreamObserver<Connector> response) {
    ConnectorRules.needMaker(Caller.current());
    setStatus(request, request.getConnectorId(), ConnectorStatus.CONNECTOR_STATUS_ACTIVE, response);
  }

  private void setStatus(
      Message request, String id, ConnectorStatus status, StreamObserver<Connector> response) {
    Replies.send(
        response,
        on(
            request,
            id,
            (write, before) ->
                before.getConnector().getStatus() == status
                    ? ConnectorStore.toResource(before)
                    : store(
                        write,
                        before,
                        changed(write, before).setStatus(status).build(),
                        Payload.of().text("status", ConnectorEvents.spell(status))),
            Connector.getDefaultInstance()));
  }

  @Override
  public void renewConnectorIngress(
      RenewConnectorIngressRequest request, StreamObserver<Connector> response) {
    Replies.send(
        response,
        on(
            request,
            request.getConnectorId(),
            (write, before) -> {
              if (IngressHash.of(before).isEmpty()) {
                throw ProtocolException.of(
                    ErrorCode.ERROR_CODE_CONFLICT,
                    "The connector has no webhook, and so no ingress path.");
              }
              return store(
                  write,
                  newIngress(
                      write, before.toBuilder().setConnector(changed(write, before)).build()),
                  before,
                  Payload.of().flag("ingress_renewed", true));
            },
            ConnectorStore::withoutPath,
            Connector.getDefaultInstance()));
  }

  @Override
  public void deleteConnector(
      DeleteConnectorRequest request, StreamObserver<DeleteConnectorResponse> response) {
    Replies.send(
        response,
        on(
            request,
            request.getConnectorId(),
            this::delete,
            DeleteConnectorResponse.getDefaultInstance()));
  }

  private DeleteConnectorResponse delete(Write write, ConnectorRecord before) {
    Connector connector = before.getConnector();
    connectors.update(
        write,
        before,
        ConnectorRecord.newBuilder()
            .setConnector(
                Connector.newBuilder()
                    .setId(connector.getId())
                    .setWorkspaceId(connector.getWorkspaceId()))
            .setDeletedAt(write.nowMillis())
            .build());
    connectors.forgetSeen(write, connector.getId());
    events.append(write, connector, EventDraft.of(EventKinds.CONNECTOR_DELETED, Payload.of()));
    return DeleteConnectorResponse.getDefaultInstance();
  }

  private Connector store(Write write, ConnectorRecord before, Connector connector, Payload facts) {
    return store(
        write,
        withIngress(write, before.toBuilder().setConnector(connector).build()),
        before,
        facts);
  }

  private Connector store(Write write, Ingress ingress, ConnectorRecord before, Payload facts) {
    ConnectorRecord after = PollStates.afterChange(before, ingress.record(), write.nowMillis());
    Connector connector = after.getConnector();
    connectors.update(write, before, after);
    if (PollStates.requestChanged(before.getConnector(), connector)) {
      connectors.forgetSeen(write, connector.getId());
    }
    events.append(write, connector, EventDraft.of(EventKinds.CONNECTOR_UPDATED, facts));
    return ingress.shown(after);
  }

  /** Schedules a poll now. Does nothing if a poll is under way already. */
  private Connector pollNow(Write write, ConnectorRecord before) {
    if (!PollStates.polls(before)) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT,
          before.getConnector().hasPolling()
              ? "The connector is paused; resume it to have it poll."
              : "The connector does not poll; it only takes webhooks.");
    }
    if (!before.getPolls().getClaim().isEmpty()) {
      return ConnectorStore.toResource(before);
    }
    ConnectorRecord.Builder asked = before.toBuilder();
    asked.getPollsBuilder().setDueAt(write.nowMillis());
    ConnectorRecord after = asked.build();
    connectors.update(write, before, after);
    events.append(
        write,
        before.getConnector(),
        EventDraft.of(EventKinds.CONNECTOR_UPDATED, Payload.of().flag("poll_asked_for", true)));
    return ConnectorStore.toResource(after);
  }

  private static Connector.Builder changed(Write write, ConnectorRecord before) {
    return before.getConnector().toBuilder().setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
  }

  private <R extends Message> R on(
      Message request, String id, BiFunction<Write, ConnectorRecord, R> work, R prototype) {
    return on(request, id, work, UnaryOperator.identity(), prototype);
  }

  private <R extends Message> R on(
      Message request,
      String id,
      BiFunction<Write, ConnectorRecord, R> work,
      UnaryOperator<R> kept,
      R prototype) {
    Caller caller = Caller.current();
    return commands.run(
        request,
        id,
        write -> connectors.ever(write.tr(), caller, id).getConnector().getWorkspaceId(),
        write -> work.apply(write, connectors.need(write.tr(), caller, id)),
        kept,
        prototype);
  }
}
