package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.worker.Worker;
import dev.bridle.worker.WorkerBuilder;
import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real server, its client, and real workers over sockets. */
public final class ServerWithWorkers implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final LocalServer server;
  private final String key;
  private final ProtocolClient client;
  private final List<ManagedChannel> channels = new ArrayList<>();

  private ServerWithWorkers(LocalServer server) {
    this.server = server;
    this.key = server.firstKey().orElseThrow();
    this.client = new ProtocolClient(server.baseUrl(), key);
  }

  /** Starts a server, and no worker yet. */
  public static ServerWithWorkers start(LocalServerOptions options) throws IOException {
    return new ServerWithWorkers(LocalServer.start(options));
  }

  /** Returns a client with the server's first key. */
  public ProtocolClient client() {
    return client;
  }

  /** Returns what the server keeps its data in. */
  public KeyValueStore store() {
    return server.store();
  }

  /** Opens a channel for workers, which is shut down with the server. */
  public ManagedChannel channel() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort()).usePlaintext().build();
    channels.add(channel);
    return channel;
  }

  /** Returns a worker of the workspace {@code default}, which lacks a handler. */
  public WorkerBuilder worker(ManagedChannel channel, String agent) {
    return Worker.builder(channel)
        .credentials(key)
        .agentId(agent)
        .bindings(List.of(WorkerBinding.newBuilder().setWorkspaceId("default").build()));
  }

  /** Submits a task in a session of its own. */
  public String submit() {
    return submit(Json.object());
  }

  /** Submits a task to a new session with further members. */
  public String submit(ObjectNode more) {
    ObjectNode session = Json.object().put("workspace_id", "default").setAll(more);
    String id = client.post("/v1/sessions", session).json().get("id").textValue();
    ObjectNode task = Json.object();
    task.set("input", Json.object().put("text", "work"));
    return client.post("/v1/sessions/" + id + "/tasks", task).json().get("id").textValue();
  }

  /** Returns the status of a task. */
  public String status(String task) {
    return client.get("/v1/tasks/" + task).json().get("status").textValue();
  }

  /** Waits for the end of a task, and returns its status. */
  public String ended(String task) {
    List<String> open = List.of("SUBMITTED", "WORKING");
    await().atMost(PATIENCE).until(() -> !open.contains(status(task)));
    return status(task);
  }

  /** Returns the first events of a task, as they were sent. */
  public String eventsAsText(String task) {
    return client.get("/v1/tasks/" + task + "/events?limit=200").text();
  }

  /** Returns the first events of a task. */
  public JsonNode events(String task) {
    return Json.parse(eventsAsText(task)).get("data");
  }

  /** Checks what is stored, as {@code bridle storage check} does. */
  public CheckReport check() {
    return new StorageChecker(server.store(), KeyLayout.root(), CoreRecords.CATALOG, 0)
        .check(CheckProgress.SILENT);
  }

  /** Stops the server, and checks what it leaves. */
  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    CheckReport report = check();
    server.close();
    assertThat(report.findings()).isEmpty();
  }
}
