package dev.bridle.core.integrations.connector;

import static dev.bridle.core.integrations.connector.SampleConnectors.delivery;
import static org.awaitility.Awaitility.await;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryServiceGrpc;
import dev.bridle.connector.v1.DeliveryServiceGrpc.DeliveryServiceBlockingStub;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.GetDeliveryRequest;
import dev.bridle.connector.v1.IngestRequest;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.ListDeliveriesRequest;
import dev.bridle.connector.v1.ListDeliveriesResponse;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.message.v1.Message;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A core with connectors that take deliveries. */
abstract class ReceivingConnectors {
  static final String BODY = "{\"title\":\"It breaks\"}";

  @TempDir Path directory;
  TestCore core;
  String vault;
  DeliveryServiceBlockingStub deliveries;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
    vault = SampleConnectors.vault(core.owner());
    deliveries = DeliveryServiceGrpc.newBlockingStub(core.owner());
  }

  @AfterEach
  void stop() {
    core.close();
  }

  CreateConnectorRequest.Builder described() {
    return SampleConnectors.described(vault);
  }

  Connector made(CreateConnectorRequest.Builder described) {
    return SampleConnectors.made(core.owner(), described);
  }

  IngestResponse deliver(Connector connector, String id, String body) {
    return deliver(delivery(SampleConnectors.ingress(connector), id, body));
  }

  IngestResponse deliver(IngestRequest request) {
    return SampleConnectors.deliver(core.core().channel(), request);
  }

  Delivery settled(Connector connector, String id) {
    return await()
        .until(
            () ->
                deliveries.getDelivery(
                    GetDeliveryRequest.newBuilder()
                        .setConnectorId(connector.getId())
                        .setDeliveryId(id)
                        .build()),
            found -> found.getStatus() != DeliveryStatus.DELIVERY_STATUS_RECEIVED);
  }

  ListDeliveriesResponse list(Connector connector, DeliveryStatus status) {
    ListDeliveriesRequest.Builder ask =
        ListDeliveriesRequest.newBuilder().setConnectorId(connector.getId());
    if (status != DeliveryStatus.DELIVERY_STATUS_UNSPECIFIED) {
      ask.setStatus(status);
    }
    return deliveries.listDeliveries(ask.build());
  }

  List<Task> tasks() {
    return core.tasks().listTasks(ListTasksRequest.getDefaultInstance()).getDataList();
  }

  List<String> kinds(Connector connector) {
    return core
        .events()
        .listEvents(ListEventsRequest.newBuilder().setLimit(200).build())
        .getDataList()
        .stream()
        .filter(event -> event.getResource().getId().equals(connector.getId()))
        .map(Event::getEvent)
        .toList();
  }

  static String text(Message message) {
    return message.getParts(0).getText().getText();
  }
}
