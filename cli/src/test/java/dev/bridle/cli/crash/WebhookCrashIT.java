package dev.bridle.cli.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.sampling.Sample;
import dev.bridle.storage.kit.SuiteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills the server process at random moments while it tells somebody outside what happens. {@code
 * -Dbridle.crash.seed=N} runs one again.
 */
@Tag("slow")
final class WebhookCrashIT {
  /**
   * A server that is alone with its data frees what a killed one had claimed; on a cluster another
   * server may be sending it, so that claims last their minute.
   */
  private static final Duration CLAIMED_ON_CLUSTER = Duration.ofMinutes(2);

  private static final int KILLS =
      Integer.getInteger("bridle.crash.kills", Sample.of("kills").count(8));
  private static final int CLIENTS = 2;
  private static final int LONGEST_LIFE_MILLIS = 1500;

  @TempDir private Path directory;
  private final Set<String> acknowledged = new ConcurrentSkipListSet<>();
  private final Queue<Told> told = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean quiet = new AtomicBoolean();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer receiver;

  /** What somebody outside was told. */
  private record Told(String delivery, String event, String task, String kind) {}

  static LongStream seeds() {
    return LongStream.of(Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff));
  }

  @BeforeEach
  void listen() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.setExecutor(threads);
    receiver.createContext("/", this::take);
    receiver.start();
  }

  @AfterEach
  void stop() {
    quiet.set(true);
    receiver.stop(0);
    threads.shutdownNow();
  }

  /** Answers late enough for kills to come between what is told and its answer. */
  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode body = Json.parse(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      told.add(
          new Told(
              body.get("id").textValue(),
              body.at("/event/id").textValue(),
              body.at("/event/task_id").textValue(),
              body.get("type").textValue()));
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      exchange.sendResponseHeaders(204, -1);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatHappenedIsToldAtLeastOnceHoweverOftenTheServerIsKilled(long seed) throws IOException {
    Random random = new Random(seed);
    String[] options = {"--no-demo-agent", "--allow-outbound", "127.0.0.1"};
    try (KilledServer server = new KilledServer(directory, options)) {
      ProtocolClient client = server.client();
      ObjectNode described = Json.object().put("workspace_id", "default");
      described.put("url", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
      described.putArray("event_kinds").add("task.submitted").add("task.canceled");
      String webhook = client.post("/v1/webhooks", described).json().get("id").textValue();
      ObjectNode session = Json.object().put("workspace_id", "default");
      String at = client.post("/v1/sessions", session).json().get("id").textValue();
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String name = "c" + i;
        clients.add(CompletableFuture.runAsync(() -> work(client, at, name), threads));
      }
      for (int kill = 0; kill < KILLS; kill++) {
        int more = acknowledged.size() + 3;
        await().atMost(Duration.ofMinutes(3)).until(() -> acknowledged.size() >= more);
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS)).toNanos());
        server.restart();
      }
      quiet.set(true);
      clients.forEach(CompletableFuture::join);
      allIsTold(server, webhook);
      server.kill();
      assertThat(acknowledged).as("tasks under load").hasSizeGreaterThan(KILLS);
    } finally {
      quiet.set(true);
    }
  }

  /** Submits tasks and cancels them, each until that is answered. */
  private void work(ProtocolClient client, String session, String name) {
    ObjectNode input = Json.object();
    input.putObject("input").put("n", name);
    for (int i = 0; !quiet.get(); i++) {
      String submit = name + "-submit-" + i;
      JsonNode task = answered(client, "/v1/sessions/" + session + "/tasks", submit, input);
      String id = task.get("id").textValue();
      JsonNode ended =
          answered(client, "/v1/tasks/" + id + "/cancel", name + "-cancel-" + i, Json.object());
      assertThat(ended.get("status").textValue()).isEqualTo("CANCELED");
      acknowledged.add(id);
    }
  }

  private static JsonNode answered(
      ProtocolClient client, String path, String key, ObjectNode body) {
    while (true) {
      try {
        Answer answer = client.send(client.call("POST", path).withBody(body).withKey(key));
        if (answer.status() < 300) {
          return answer.json();
        }
        assertThat(answer.status()).isEqualTo(503);
      } catch (UncheckedIOException dead) {
        // It is started again.
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private void allIsTold(KilledServer server, String webhook) {
    String list = "/v1/webhooks/" + webhook + "/deliveries";
    await("all is told")
        .atMost(SuiteStore.clusterFile().isPresent() ? CLAIMED_ON_CLUSTER : Duration.ofSeconds(40))
        .untilAsserted(
            () ->
                assertThat(told.stream().filter(one -> one.kind().equals("task.canceled")))
                    .extracting(Told::task)
                    .containsAll(acknowledged));
    await("all deliveries are done with")
        .atMost(Duration.ofMinutes(3))
        .until(() -> server.all(list + "?status=WAITING").isEmpty());
    assertThat(server.all(list)).allMatch(row -> row.get("status").textValue().equals("DELIVERED"));
    Map<String, Set<String>> deliveries =
        told.stream()
            .collect(
                Collectors.groupingBy(
                    Told::event, Collectors.mapping(Told::delivery, Collectors.toSet())));
    assertThat(deliveries.values()).as("one delivery of each event").allMatch(s -> s.size() == 1);
    Map<String, List<String>> kinds =
        told.stream()
            .collect(
                Collectors.groupingBy(
                    Told::task, Collectors.mapping(Told::kind, Collectors.toList())));
    assertThat(kinds.keySet()).as("nothing that happened is left out").containsAll(acknowledged);
    assertThat(acknowledged)
        .as("in order")
        .allSatisfy(
            task -> {
              List<String> order = kinds.get(task);
              assertThat(order).startsWith("task.submitted").endsWith("task.canceled");
              assertThat(order.subList(order.indexOf("task.canceled"), order.size()))
                  .doesNotContain("task.submitted");
            });
  }
}
