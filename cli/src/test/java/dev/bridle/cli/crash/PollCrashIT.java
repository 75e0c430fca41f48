package dev.bridle.cli.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills the server process at random moments while it polls a list that grows with each look at it.
 * {@code -Dbridle.crash.seed=N} runs one again.
 */
@Tag("slow")
final class PollCrashIT {
  private static final int KILLS = Integer.getInteger("bridle.crash.kills", 12) / 3;
  private static final int LONGEST_LIFE_MILLIS = 1500;
  private static final int NEW_EACH_TIME = 7;

  @TempDir private Path directory;
  private final AtomicInteger listed = new AtomicInteger();
  private HttpServer list;
  private volatile boolean grows = true;

  static LongStream seeds() {
    return LongStream.of(Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff));
  }

  @BeforeEach
  void publish() throws IOException {
    list = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    list.createContext("/", this::answer);
    list.start();
  }

  @AfterEach
  void stop() {
    list.stop(0);
  }

  /** Answers late enough for kills to come between what is asked and what is stored of it. */
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      int count = grows ? listed.addAndGet(NEW_EACH_TIME) : listed.get();
      ArrayNode items = Json.array();
      IntStream.range(0, count).forEach(n -> items.addObject().put("id", n));
      byte[] body = items.toString().getBytes(UTF_8);
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatIsListedBecomesOneTaskHoweverOftenTheServerIsKilled(long seed) throws IOException {
    Random random = new Random(seed);
    String[] options = {"--min-poll-interval", "1s", "--allow-outbound", "127.0.0.1"};
    try (KilledServer server = new KilledServer(directory, options)) {
      ProtocolClient client = server.client();
      ObjectNode place = Json.object().put("workspace_id", "default");
      String session = client.post("/v1/sessions", place).json().get("id").textValue();
      JsonNode connector = client.post("/v1/connectors", described(session)).json();
      for (int kill = 0; kill < KILLS; kill++) {
        int more = listed.get() + NEW_EACH_TIME;
        await().atMost(Duration.ofSeconds(90)).until(() -> listed.get() >= more);
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS)).toNanos());
        server.restart();
      }
      grows = false;
      everyItemHasOneTask(server, connector.get("id").textValue(), session);
      server.kill();
      assertThat(listed.get()).as("items under load").isGreaterThan(KILLS * NEW_EACH_TIME);
    }
  }

  private void everyItemHasOneTask(KilledServer server, String connector, String session) {
    String deliveries = "/v1/connectors/" + connector + "/deliveries";
    // A claim that a killed process held lasts for a minute.
    await("all items came in")
        .atMost(Duration.ofSeconds(90))
        .until(() -> server.all(deliveries).size() >= listed.get());
    await("all deliveries are worked on")
        .atMost(Duration.ofMinutes(1))
        .until(() -> server.all(deliveries + "?status=RECEIVED").isEmpty());
    List<String> asked =
        server.all("/v1/sessions/" + session + "/tasks").stream()
            .map(task -> task.at("/input/parts/0/text").textValue())
            .toList();
    assertThat(asked)
        .as("one task of each item")
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, listed.get()).mapToObj(Integer::toString).toList());
  }

  private ObjectNode described(String session) {
    ObjectNode body = Json.object().put("workspace_id", "default").put("provider", "load");
    body.put("target_session_id", session);
    String url = "http://127.0.0.1:" + list.getAddress().getPort() + "/";
    body.withObject("/polling")
        .put("url", url)
        .put("interval_seconds", 1)
        .put("items", "")
        .put("item_id", "/id")
        .put("initial", "all");
    body.withObject("/mapping").put("text", "{/id}");
    return body;
  }
}
