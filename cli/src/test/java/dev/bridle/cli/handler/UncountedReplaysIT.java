package dev.bridle.cli.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.cli.up.ServerWithWorkers;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.core.integrations.connector.ConnectorStore;
import dev.bridle.core.integrations.connector.DeliveryStore;
import dev.bridle.core.integrations.webhook.WebhookDeliveryStore;
import dev.bridle.core.integrations.webhook.WebhookStore;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.quota.QuotaStore;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.fixtures.client.Call;
import dev.bridle.fixtures.client.Json;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import dev.bridle.worker.Parts;
import dev.bridle.worker.SideEffect;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Usage;
import dev.bridle.worker.Worker;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays of logs beside a quota, a webhook and a connector, which they leave as they are. */
@Tag("slow")
final class UncountedReplaysIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int AT_ONCE = 100;
  private static final int MORE_THAN_THERE_ARE = 100_000;

  /** All that replays could count or cause, but not how far a webhook has read the events. */
  private static final List<RecordDef<?>> RECORDS =
      List.of(
          QuotaStore.QUOTA,
          ReceiptStore.LAST_RECEIPT,
          ConnectorStore.CONNECTOR,
          ConnectorStore.POLL_SEEN,
          DeliveryStore.DELIVERY,
          DeliveryStore.DELIVERY_BODY,
          DeliveryStore.DELIVERY_KEY,
          DeliveryStore.DEAD_LETTER,
          WebhookStore.WEBHOOK,
          WebhookDeliveryStore.WEBHOOK_DELIVERY,
          WebhookDeliveryStore.WEBHOOK_AGENDA,
          WebhookDeliveryStore.WEBHOOK_LINE);

  @TempDir private Path directory;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final Queue<JsonNode> sent = new ConcurrentLinkedQueue<>();
  private HttpServer receiver;
  private ServerWithWorkers server;

  @BeforeEach
  void start() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", this::take);
    receiver.start();
    LocalServerOptions options =
        SuiteEngine.of(LocalServerOptions.of(directory).withoutDemoAgent());
    server =
        ServerWithWorkers.start(
            options.withCore(
                options
                    .core()
                    .withOutbound(
                        OutboundOptions.DEFAULT.withAllowed(
                            List.of(AddressRange.parse("127.0.0.1"))))));
  }

  @AfterEach
  void stop() {
    server.close();
    receiver.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode body = Json.parse(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      if (known.add(body.get("id").textValue())) { // A late answer has it sent again.
        sent.add(body);
      }
      exchange.sendResponseHeaders(204, -1);
    }
  }

  @Test
  void replaysAreNotCountedAndNobodyHearsOfThem() {
    replaysChangeNothing(20);
  }

  @Test
  void aThousandReplaysAreNotCountedAndNobodyHearsOfThem() {
    replaysChangeNothing(1_000);
  }

  private void replaysChangeNothing(int count) {
    String session = id(post("/v1/sessions", Json.object().put("workspace_id", "default")));
    quota();
    String webhook = webhook();
    try (Worker worker =
        server.worker(server.channel(), "worker").handler(UncountedReplaysIT::work).build()) {
      worker.start();
      deliver(connector(session));
      settled(webhook, 1);
      int first = sent.size();
      String task = worked(session);
      settled(webhook, 2);
      List<String> ofOneTask = sentAfter(first);
      int second = sent.size();
      List<String> before = rows();

      replay(task, count);

      assertThat(rows()).isEqualTo(before);
      // What comes after the replays is sent after what would be sent of them.
      var unused = worked(session);
      settled(webhook, 3);
      assertThat(sentAfter(second)).isEqualTo(ofOneTask);
      assertThat(rows()).as("a task is counted and sent").isNotEqualTo(before);
    }
  }

  /** Waits until all is sent of so many tasks, whose receipts come last, and kept as sent. */
  private void settled(String webhook, int tasks) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                kinds().filter("receipt.issued"::equals).count() == tasks
                    && kinds().filter("task.completed"::equals).count() == tasks
                    && deliveries(webhook).stream()
                        .allMatch(one -> one.get("status").textValue().equals("DELIVERED")));
    assertThat(deliveries(webhook)).hasSameSizeAs(sent);
  }

  private List<JsonNode> deliveries(String webhook) {
    List<JsonNode> deliveries = new ArrayList<>();
    String list = "/v1/webhooks/" + webhook + "/deliveries?limit=200";
    server.client().get(list).json().get("data").forEach(deliveries::add);
    return deliveries;
  }

  private Stream<String> kinds() {
    return sent.stream().map(one -> one.get("type").textValue());
  }

  private List<String> sentAfter(int earlier) {
    return kinds().skip(earlier).sorted().toList();
  }

  /** Does what is counted, and what webhooks send. */
  private static TaskResult work(TaskContext task) {
    task.usage("used", Usage.ofModel("model", 10, 5, BigDecimal.ONE));
    task.sideEffect("ran", SideEffect.command("make", 0));
    task.message("said", List.of(Parts.text("done")));
    var artifact =
        task.artifact(
            "made", ArtifactKind.ARTIFACT_KIND_FILE, "text/plain", "text".getBytes(UTF_8));
    return TaskResult.of("done").withArtifact(artifact);
  }

  private void quota() {
    ObjectNode quota = Json.object().put("scope", "tenant").put("hard_limit", true);
    ObjectNode limits = quota.putObject("limits");
    for (String limit :
        List.of("tasks", "concurrency", "tokens", "money", "tool_calls", "wall_time_seconds")) {
      limits.put(limit, 1_000_000);
    }
    limits.put("requests_per_minute", 100);
    var unused = post("/v1/quotas", quota);
  }

  private String webhook() {
    ObjectNode webhook = Json.object().put("workspace_id", "default");
    webhook.put("url", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
    return id(post("/v1/webhooks", webhook));
  }

  private JsonNode connector(String session) {
    ObjectNode connector = Json.object().put("workspace_id", "default").put("provider", "test");
    connector.put("target_session_id", session);
    connector.withObject("/webhook/signature").put("preset", "none");
    connector.withObject("/dedupe_policy").put("header", "X-Delivery");
    connector.withObject("/mapping").put("text", "{/n}");
    return post("/v1/connectors", connector);
  }

  private void deliver(JsonNode connector) {
    Call delivery =
        new Call(
            "POST",
            connector.at("/webhook/path").textValue(),
            Map.of("X-Delivery", "1"),
            Optional.empty());
    assertThat(server.client().send(delivery.withBody(Json.object().put("n", "1"))).status())
        .isEqualTo(202);
    await().atMost(PATIENCE).until(() -> kinds().anyMatch("connector.task_submitted"::equals));
  }

  /** Has a task of a session done. */
  private String worked(String session) {
    ObjectNode body = Json.object();
    body.putObject("input").put("text", "work");
    String task = id(post("/v1/sessions/" + session + "/tasks", body));
    assertThat(server.ended(task)).isEqualTo("COMPLETED");
    return task;
  }

  private void replay(String task, int count) {
    List<String> open = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      open.add(id(post("/v1/tasks/" + task + "/replay", Json.object())));
      if (i % AT_ONCE == 0 || i == count) {
        await().atMost(PATIENCE).until(() -> open.stream().noneMatch(this::isOpen));
        assertThat(open).extracting(server::status).containsOnly("COMPLETED");
        open.clear();
      }
    }
  }

  private boolean isOpen(String task) {
    return List.of("SUBMITTED", "WORKING").contains(server.status(task));
  }

  /** Returns the rows of the quota's usage and of all records that replays leave as they are. */
  private List<String> rows() {
    Rows rows = new Rows(KeyLayout.root());
    List<String> all = new ArrayList<>(rows(rows.below("default", TenantSpace.USAGE)));
    for (RecordDef<?> def : RECORDS) {
      all.addAll(rows(rows.below("default", TenantSpace.RECORD, (long) def.number())));
    }
    return all;
  }

  private List<String> rows(KeyRange range) {
    HexFormat hex = HexFormat.of();
    return server.store().read(tr -> tr.getRange(range, MORE_THAN_THERE_ARE)).stream()
        .map(row -> hex.formatHex(row.key()) + "=" + hex.formatHex(row.value()))
        .toList();
  }

  private JsonNode post(String path, JsonNode body) {
    JsonNode made = server.client().post(path, body).json();
    assertThat(made.path("id").asText()).as("%s", made).isNotEmpty();
    return made;
  }

  private static String id(JsonNode resource) {
    return resource.get("id").textValue();
  }
}
