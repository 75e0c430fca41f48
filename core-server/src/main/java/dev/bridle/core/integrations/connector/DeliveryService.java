package dev.bridle.core.integrations.connector;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryServiceGrpc;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.DropDeliveryRequest;
import dev.bridle.connector.v1.GetDeliveryRequest;
import dev.bridle.connector.v1.ListDeadLettersRequest;
import dev.bridle.connector.v1.ListDeadLettersResponse;
import dev.bridle.connector.v1.ListDeliveriesRequest;
import dev.bridle.connector.v1.ListDeliveriesResponse;
import dev.bridle.connector.v1.RedeliverRequest;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.DeliveryRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Map;

/** Lists deliveries of connectors, and settles failed ones. */
final class DeliveryService extends DeliveryServiceGrpc.DeliveryServiceImplBase {
  private static final int LIST = 0;

  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final ConnectorStore connectors;
  private final DeliveryStore deliveries;
  private final DeliveryProcessor processor;
  private final ConnectorEvents events;
  private final Pages pages;

  DeliveryService(
      CoreContext context,
      WorkspaceStore workspaces,
      ConnectorStore connectors,
      DeliveryStore deliveries,
      DeliveryProcessor processor,
      ConnectorEvents events) {
    this.store = context.store();
    this.commands = context.commands();
    this.workspaces = workspaces;
    this.connectors = connectors;
    this.deliveries = deliveries;
    this.processor = processor;
    this.events = events;
    this.pages = context.pages();
  }

  @Override
  public void listDeliveries(
      ListDeliveriesRequest request, StreamObserver<ListDeliveriesResponse> response) {
    Caller caller = Caller.current();
    String connector = request.getConnectorId();
    Pages.Page<Delivery> page =
        store.read(
            tr -> {
              var unused = connectors.need(tr, caller, connector);
              return pages.named(
                  (before, limit) ->
                      deliveries.page(tr, caller.tenant(), connector, before, limit).stream()
                          .map(DeliveryRecord::getDelivery)
                          .toList(),
                  Delivery::getId,
                  Pages.Ask.of(request, LIST, connector, true),
                  row -> !request.hasStatus() || row.getStatus() == request.getStatus());
            });
    Replies.send(
        response,
        ListDeliveriesResponse.newBuilder().addAllData(page.rows()).setPage(page.info()).build());
  }

  @Override
  public void listDeadLetters(
      ListDeadLettersRequest request, StreamObserver<ListDeadLettersResponse> response) {
    Caller caller = Caller.current();
    Pages.Page<Delivery> page = store.read(tr -> deadLetters(tr, caller, request));
    Replies.send(
        response,
        ListDeadLettersResponse.newBuilder().addAllData(page.rows()).setPage(page.info()).build());
  }

  private Pages.Page<Delivery> deadLetters(
      ReadTransaction tr, Caller caller, ListDeadLettersRequest request) {
    if (request.hasWorkspaceId()
        && workspaces.find(tr, caller, request.getWorkspaceId()).isEmpty()) {
      return Pages.Page.none();
    }
    Map<String, Boolean> seen = new HashMap<>();
    return pages.named(
        (before, limit) ->
            deliveries.deadLetters(tr, caller.tenant(), before, limit).stream()
                .map(DeliveryRecord::getDelivery)
                .toList(),
        Delivery::getId,
        Pages.Ask.of(request, LIST, request.getWorkspaceId(), true),
        row ->
            seen.computeIfAbsent(
                row.getConnectorId(),
                id ->
                    connectors
                        .find(tr, caller.tenant(), id)
                        .map(record -> record.getConnector().getWorkspaceId())
                        .filter(caller::reaches)
                        .filter(
                            workspace ->
                                !request.hasWorkspaceId()
                                    || workspace.equals(request.getWorkspaceId()))
                        .isPresent()));
  }

  @Override
  public void getDelivery(GetDeliveryRequest request, StreamObserver<Delivery> response) {
    Caller caller = Caller.current();
    String connector = request.getConnectorId();
    Replies.send(
        response,
        store.read(
            tr -> {
              Delivery delivery =
                  need(tr, caller, connector, request.getDeliveryId()).getDelivery();
              return deliveries
                  .body(tr, caller.tenant(), connector, delivery.getId())
                  .map(body -> delivery.toBuilder().setBody(body.getBody().toString(UTF_8)).build())
                  .orElse(delivery);
            }));
  }

  @Override
  public void redeliver(RedeliverRequest request, StreamObserver<Delivery> response) {
    ConnectorRules.needMaker(Caller.current());
    Delivery again =
        settle(
            request,
            request.getConnectorId(),
            request.getDeliveryId(),
            DeliveryStatus.DELIVERY_STATUS_RECEIVED);
    processor.processSoon(Caller.current().tenant(), again.getConnectorId(), again.getId());
    Replies.send(response, again);
  }

  @Override
  public void dropDelivery(DropDeliveryRequest request, StreamObserver<Delivery> response) {
    Replies.send(
        response,
        settle(
            request,
            request.getConnectorId(),
            request.getDeliveryId(),
            DeliveryStatus.DELIVERY_STATUS_DROPPED));
  }

  private Delivery settle(Message request, String connector, String id, DeliveryStatus status) {
    Caller caller = Caller.current();
    return commands.run(
        request,
        connector + "/" + id,
        write -> connectors.need(write.tr(), caller, connector).getConnector().getWorkspaceId(),
        write -> settle(write, need(write.tr(), caller, connector, id), status),
        Delivery.getDefaultInstance());
  }

  private Delivery settle(Write write, DeliveryRecord before, DeliveryStatus status) {
    Delivery delivery = before.getDelivery();
    if (delivery.getStatus() == status) {
      return delivery;
    }
    if (delivery.getStatus() != DeliveryStatus.DELIVERY_STATUS_FAILED) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The delivery has not failed; there is nothing to settle.")
          .with("status", spell(delivery.getStatus()));
    }
    boolean again = status == DeliveryStatus.DELIVERY_STATUS_RECEIVED;
    Delivery.Builder after =
        delivery.toBuilder()
            .setStatus(status)
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
    if (again) {
      after.setAttempts(0);
    }
    Delivery settled = after.build();
    deliveries.update(
        write,
        before,
        before.toBuilder()
            .setDelivery(settled)
            .setDueAt(
                again ? write.nowMillis() : Math.max(before.getKnownUntil(), write.nowMillis()))
            .build());
    events.append(
        write,
        connectors
            .find(write.tr(), write.tenant(), delivery.getConnectorId())
            .orElseThrow()
            .getConnector(),
        EventDraft.of(
            EventKinds.CONNECTOR_DELIVERY_SETTLED,
            ConnectorEvents.facts(settled).text("status", spell(status))));
    return settled;
  }

  private DeliveryRecord need(ReadTransaction tr, Caller caller, String connector, String id) {
    var unused = connectors.need(tr, caller, connector);
    return deliveries
        .find(tr, caller.tenant(), connector, id)
        .orElseThrow(() -> ProtocolException.notFound("delivery", id));
  }

  private static String spell(DeliveryStatus status) {
    return status.name().substring("DELIVERY_STATUS_".length());
  }
}
