package dev.bridle.core.fault;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DeleteConnectorRequest;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryServiceGrpc;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.InitialItems;
import dev.bridle.connector.v1.ListDeliveriesRequest;
import dev.bridle.connector.v1.RenewConnectorIngressRequest;
import dev.bridle.connector.v1.WebhookSignature;
import dev.bridle.core.integrations.connector.SampleConnectors;
import dev.bridle.core.integrations.connector.SamplePolls;
import java.util.List;
import java.util.Map;

/** Connectors that take deliveries, and those that poll. */
final class ConnectorSteps {
  private ConnectorSteps() {}

  /** Makes a connector whose deliveries become tasks of the world's session. */
  static Connector connect(World world, String key) {
    CreateConnectorRequest.Builder described =
        SampleConnectors.described("").setTargetSessionId(world.session());
    described.getWebhookBuilder().setSignature(WebhookSignature.newBuilder().setPreset("none"));
    return world.callOnce("connect", key, channel -> SampleConnectors.made(channel, described));
  }

  /** Has a connector's path renewed where the answer that showed it was lost. */
  static Connector withPath(World world, Connector connector) {
    RenewConnectorIngressRequest request =
        RenewConnectorIngressRequest.newBuilder().setConnectorId(connector.getId()).build();
    Connector shown = connector;
    for (int i = 0; !shown.getWebhook().hasPath(); i++) {
      shown =
          world.callOnce(
              "renew",
              "renew-" + i,
              channel ->
                  ConnectorServiceGrpc.newBlockingStub(channel).renewConnectorIngress(request));
    }
    return shown;
  }

  static IngestResponse deliver(World world, Connector connector, String body) {
    return world.call(
        "deliver",
        channel ->
            SampleConnectors.deliver(
                channel,
                SampleConnectors.delivery(SampleConnectors.ingress(connector), body, Map.of())));
  }

  /** Makes a connector that polls a list, and takes what is there as well. */
  static Connector poll(World world, String key) {
    CreateConnectorRequest.Builder described =
        SamplePolls.described(
                SamplePolls.list("https://news.example/")
                    .setItems("")
                    .setInitial(InitialItems.INITIAL_ITEMS_ALL))
            .setTargetSessionId(world.session());
    return world.callOnce("poll", key, channel -> SampleConnectors.made(channel, described));
  }

  /** Lets time pass until so many items became something, and returns what they are known by. */
  static List<String> polled(World world, Connector connector, int count) {
    ListDeliveriesRequest request =
        ListDeliveriesRequest.newBuilder()
            .setConnectorId(connector.getId())
            .setStatus(DeliveryStatus.DELIVERY_STATUS_DONE)
            .build();
    List<Delivery> done =
        world.timePassesUntil(
            found -> found.size() >= count,
            "look",
            channel ->
                DeliveryServiceGrpc.newBlockingStub(channel).listDeliveries(request).getDataList());
    return done.stream().map(Delivery::getDedupeKey).toList();
  }

  static void pollNoMore(World world, Connector connector, String key) {
    DeleteConnectorRequest request =
        DeleteConnectorRequest.newBuilder().setConnectorId(connector.getId()).build();
    var unused =
        world.callOnce(
            "poll no more",
            key,
            channel -> ConnectorServiceGrpc.newBlockingStub(channel).deleteConnector(request));
  }
}
