package dev.bridle.core.integrations.connector;

import static dev.bridle.core.integrations.connector.SamplePolls.items;
import static dev.bridle.core.integrations.connector.SamplePolls.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.ConnectorServiceGrpc.ConnectorServiceBlockingStub;
import dev.bridle.connector.v1.GetConnectorRequest;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A core with connectors that poll an odd server, by a clock that a test sets. */
abstract class PolledConnectors {
  static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path directory;
  final SetClock clock = new SetClock("2026-06-01T08:00:00Z");
  KeyValueStore store;
  CoreOver core;
  OddServer server;

  @BeforeEach
  void start() throws IOException {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock, PolledConnectors::patient);
    server = OddServer.answering(with(items()));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    core.close();
    try {
      StoredData.assertSound(store);
    } finally {
      store.close();
    }
  }

  /**
   * Returns options of a core that may call this machine, and gives up so late that no answer of a
   * loaded machine is missed.
   */
  static CoreOptions patient(CoreOptions options) {
    return local(options, MINUTE);
  }

  /** Returns options of a core that may call this machine, and gives up soon. */
  static CoreOptions quick(CoreOptions options) {
    return local(options, Duration.ofSeconds(2));
  }

  private static CoreOptions local(CoreOptions options, Duration timeout) {
    return options.withOutbound(
        OutboundOptions.DEFAULT
            .withAllowed(List.of(AddressRange.parse("127.0.0.1")))
            .withTimeouts(timeout, timeout));
  }

  ConnectorServiceBlockingStub connectors() {
    return ConnectorServiceGrpc.newBlockingStub(core.of("default"));
  }

  String url() {
    return "http://127.0.0.1:" + server.port() + "/news";
  }

  Connector made(ConnectorPolling.Builder polling) {
    return connectors().createConnector(SamplePolls.described(polling).build());
  }

  Connector get(Connector connector) {
    return connectors()
        .getConnector(GetConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
  }

  /** Waits until so many requests came in, and what came of the last one is stored. */
  void polled(Connector connector, int requests) {
    await()
        .until(
            () ->
                server.received().size() >= requests
                    && get(connector).getPolls().hasNextPollAt()
                    && next(connector).isAfter(clock.instant()));
    assertThat(server.received()).hasSize(requests);
  }

  Instant next(Connector connector) {
    await().until(() -> get(connector).getPolls().hasNextPollAt());
    var next = get(connector).getPolls().getNextPollAt();
    return Instant.ofEpochSecond(next.getSeconds(), next.getNanos());
  }

  List<Task> tasks() {
    return TaskServiceGrpc.newBlockingStub(core.of("default"))
        .listTasks(ListTasksRequest.newBuilder().setLimit(200).build())
        .getDataList();
  }

  List<String> texts() {
    return tasks().stream()
        .map(task -> task.getInput().getMessage().getParts(0).getText().getText())
        .toList();
  }

  List<Event> events(Connector connector) {
    return EventServiceGrpc.newBlockingStub(core.of("default"))
        .listEvents(ListEventsRequest.newBuilder().setLimit(200).build())
        .getDataList()
        .stream()
        .filter(event -> event.getResource().getId().equals(connector.getId()))
        .toList();
  }

  List<String> kinds(Connector connector) {
    return events(connector).stream().map(Event::getEvent).toList();
  }
}
