package dev.bridle.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Call;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.sampling.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills the server process at random moments while deliveries come in, each until it is answered
 * and now and then once more. {@code -Dbridle.crash.seed=N} runs one again.
 */
@Tag("slow")
final class DeliveryCrashIT {
  private static final int KILLS =
      Integer.getInteger("bridle.crash.kills", Sample.of("kills").count(8));
  private static final int SENDERS = 4;
  private static final int LONGEST_LIFE_MILLIS = 2000;

  @TempDir private Path directory;
  private final Set<String> acknowledged = new ConcurrentSkipListSet<>();
  private final Queue<String> tried = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean quiet = new AtomicBoolean();
  private final ExecutorService threads = Executors.newFixedThreadPool(SENDERS);

  static LongStream seeds() {
    return LongStream.of(Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatWasAcceptedBecomesOneTaskHoweverOftenTheServerIsKilled(long seed) throws IOException {
    Random random = new Random(seed);
    try (KilledServer server = new KilledServer(directory)) {
      ProtocolClient client = server.client();
      String session =
          client
              .post("/v1/sessions", Json.object().put("workspace_id", "default"))
              .json()
              .get("id")
              .textValue();
      JsonNode connector = client.post("/v1/connectors", described(session)).json();
      String path = connector.at("/webhook/path").textValue();
      List<CompletableFuture<Void>> senders = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        String name = "s" + i;
        Random own = new Random(random.nextLong());
        senders.add(CompletableFuture.runAsync(() -> send(client, path, name, own), threads));
      }
      for (int kill = 0; kill < KILLS; kill++) {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS)).toNanos());
        server.restart();
      }
      quiet.set(true);
      senders.forEach(CompletableFuture::join);
      everyDeliveryHasOneTask(server, connector, session);
      server.kill();
      assertThat(acknowledged).as("deliveries under load").hasSizeGreaterThan(KILLS);
    } finally {
      quiet.set(true);
      threads.shutdownNow();
    }
  }

  private void everyDeliveryHasOneTask(KilledServer server, JsonNode connector, String session) {
    String list = "/v1/connectors/" + connector.get("id").textValue() + "/deliveries";
    await("all deliveries are worked on")
        .atMost(Duration.ofMinutes(3))
        .until(() -> server.all(list + "?status=RECEIVED").isEmpty());
    assertThat(server.all(list)).allMatch(row -> row.get("status").textValue().equals("DONE"));
    Map<String, List<JsonNode>> tasks =
        server.all("/v1/sessions/" + session + "/tasks").stream()
            .collect(Collectors.groupingBy(task -> task.at("/input/parts/0/text").textValue()));
    assertThat(tasks.keySet()).as("nothing accepted is lost").containsAll(acknowledged);
    assertThat(new TreeSet<>(tried)).as("nothing else came in").containsAll(tasks.keySet());
    assertThat(tasks.values()).as("one task each").allMatch(same -> same.size() == 1);
  }

  private void send(ProtocolClient client, String path, String name, Random random) {
    for (int i = 0; !quiet.get(); i++) {
      String id = name + "-" + i;
      tried.add(id);
      Call delivery =
          new Call("POST", path, Map.of("X-Delivery", id), Optional.empty())
              .withBody(Json.object().put("n", id));
      int times = random.nextInt(4) == 0 ? 2 : 1;
      while (times > 0) {
        if (accepted(client, delivery)) {
          acknowledged.add(id);
          times--;
        } else {
          LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
      }
    }
  }

  private static boolean accepted(ProtocolClient client, Call delivery) {
    try {
      int status = client.send(delivery).status();
      assertThat(status).isIn(202, 503);
      return status == 202;
    } catch (UncheckedIOException dead) {
      return false;
    }
  }

  private static ObjectNode described(String session) {
    ObjectNode body = Json.object().put("workspace_id", "default").put("provider", "load");
    body.put("target_session_id", session);
    body.withObject("/webhook/signature").put("preset", "none");
    body.withObject("/dedupe_policy").put("header", "X-Delivery");
    body.withObject("/mapping").put("text", "{/n}");
    return body;
  }
}
