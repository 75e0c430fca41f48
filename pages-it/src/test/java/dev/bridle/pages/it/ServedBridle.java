package dev.bridle.pages.it;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.up.HarpServing;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.Worker;
import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server with the page, and an agent that asks before it acts. */
final class ServedBridle implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path data;
  private final String key;
  private LocalServer server;
  private ProtocolClient client;
  private final String session;
  private final List<String> asked = new ArrayList<>();
  private final List<Runnable> workers = new ArrayList<>();

  ServedBridle(Path data) {
    this(data, HarpServing.at(0));
  }

  /** Starts one that serves the page in another way. */
  ServedBridle(Path data, HarpServing harp) {
    this.data = data;
    this.server = started(harp);
    this.key = server.firstKey().orElseThrow();
    this.client = new ProtocolClient(server.baseUrl(), key);
    this.session = post("/v1/sessions", "{\"workspace_id\":\"default\"}").get("id").textValue();
  }

  private LocalServer started(HarpServing harp) {
    try {
      return LocalServer.start(LocalServerOptions.of(data).withHarp(Optional.of(harp)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the server; the page can't reach it then. */
  int stop() {
    int port = server.harpUrl().orElseThrow().getPort();
    server.close();
    return port;
  }

  /** Starts it again where phones know it. */
  void start(int harpPort) {
    server = started(HarpServing.at(harpPort));
    client = new ProtocolClient(server.baseUrl(), key);
  }

  String base() {
    return server.harpUrl().orElseThrow().toString();
  }

  String rest() {
    return server.baseUrl().toString();
  }

  String key() {
    return key;
  }

  JsonNode get(String path) {
    return client.get(path).json();
  }

  JsonNode post(String path, String body) {
    return client.post(path, Json.parse(body)).json();
  }

  /** Begins a pairing of a phone of a person. */
  JsonNode pairing(String person, String name) {
    ObjectNode ask = (ObjectNode) Json.parse("{}");
    return client
        .post("/v1/approval-device-pairings", ask.put("principal", person).put("name", name))
        .json();
  }

  /** Removes all phones. */
  void removePhones() {
    for (JsonNode device : get("/v1/approval-devices?limit=200").get("data")) {
      if (device.get("revoked_at").isNull()) {
        var unused = post("/v1/approval-devices/" + device.get("id").textValue() + "/revoke", "{}");
      }
    }
  }

  /** Has the agent ask for a command, and returns the task. */
  String asks(String command) {
    ObjectNode act = (ObjectNode) Json.parse("{}");
    act.putObject("input").putObject("act").put("tool", "shell").put("command", command);
    String task =
        client.post("/v1/sessions/" + session + "/tasks", act).json().get("id").textValue();
    asked.add(task);
    return task;
  }

  /** Starts a worker that takes all tasks from now on, and submits one. */
  String asksBy(TaskHandler handler) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort()).usePlaintext().build();
    Worker worker =
        Worker.builder(channel)
            .credentials(key)
            .agentId("own")
            .bindings(List.of(WorkerBinding.newBuilder().setWorkspaceId("default").build()))
            .handler(handler)
            .build();
    worker.start();
    workers.add(worker::close);
    workers.add(channel::shutdownNow);
    return post("/v1/sessions/" + session + "/tasks", "{\"input\":{\"text\":\"work\"}}")
        .get("id")
        .textValue();
  }

  /** Cancels a task, whatever has become of it. */
  void cancels(String task) {
    var unused = client.post("/v1/tasks/" + task + "/cancel", Json.parse("{}"));
  }

  /** Cancels what the agent asks still. */
  void cancelsAll() {
    asked.forEach(this::cancels);
    asked.clear();
  }

  /** Waits until a task has come to a status. */
  void reaches(String task, String status) {
    await()
        .atMost(PATIENCE)
        .until(() -> get("/v1/tasks/" + task).get("status").textValue(), now -> now.equals(status));
  }

  /** Waits for the answer of a person to what a task has asked. */
  JsonNode answered(String task, String status) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> get("/v1/permission-requests?task_id=" + task).at("/data/0"),
            found -> found.path("status").asText().equals(status))
        .at("/response/answers/0");
  }

  @Override
  public void close() {
    workers.forEach(Runnable::run);
    server.close();
  }
}
