package dev.bridle.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.storage.kit.SuiteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two relay processes over one cluster: many exchanges at once, with real seals and signatures,
 * whose enforcers, approvers, withdrawals and times race each other at either process. Each
 * approver has a credential of its own.
 */
@Tag("slow")
final class TwoRelaysIT {
  private static final int EXCHANGES = 200;
  private static final int AT_ONCE = 16;
  private static final List<String> APPROVERS = List.of("ada", "ben", "eve");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
  private final List<DeviceKeys> devices = new ArrayList<>();
  private List<ProtocolClient> relays;

  /** The keys of the approvers, each of which acts as one of them alone. */
  private final List<String> keys = new ArrayList<>();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void everyExchangeEndsOnceAndBothProcessesTellTheSame() throws IOException {
    boolean cluster = SuiteStore.clusterFile().isPresent();
    if (!cluster) {
      System.out.println("Skipped: TwoRelaysIT needs -D" + SuiteStore.CLUSTER_FILE + "=FILE.");
    }
    assumeTrue(cluster, "two processes need a cluster");
    try (KilledServer one = new KilledServer(directory, "--no-demo-agent", "--harp-port", "0");
        ServerProcess two = startSecond()) {
      String key = Files.readString(directory.resolve("api.key")).strip();
      relays = List.of(one.relay(), new ProtocolClient(two.harpUrl().orElseThrow(), key));
      for (String approver : APPROVERS) {
        devices.add(DeviceKeys.create(new SecureRandom()));
        ObjectNode party = Json.object().put("approver_id", approver).put("actor", approver);
        assertThat(one.client().post("/v1/harp/approvers", party).status()).isEqualTo(201);
        keys.add(createKey(approver));
      }
      Random random = new Random(20261125);
      List<Race> races = new ArrayList<>();
      for (int i = 0; i < EXCHANGES; i++) {
        races.add(
            new Race(
                "gate-" + i % 4,
                "r" + i,
                random.nextInt(3) == 0 ? 2000 + random.nextInt(2000) : 600_000,
                random.nextInt(APPROVERS.size() + 1),
                random.nextInt(3) == 0));
      }
      List<CompletableFuture<String>> exchanges =
          races.stream()
              .map(race -> CompletableFuture.supplyAsync(() -> run(race), threads))
              .toList();

      List<String> states = exchanges.stream().map(CompletableFuture::join).toList();

      assertThat(states).hasSize(EXCHANGES).contains("delivered", "withdrawn", "expired");
      for (int approver = 0; approver < APPROVERS.size(); approver++) {
        for (int relay = 0; relay < relays.size(); relay++) {
          assertSeenBy(approver, relay, races, states);
        }
      }
    }
  }

  private String createKey(String approver) throws IOException {
    Path file = directory.resolve(approver + ".key");
    var unused =
        Commands.run(
            0,
            "apikey",
            "create",
            "--data-dir",
            directory.resolve("data").toString(),
            "--actor",
            approver,
            "--scope",
            "harp:approve",
            "--api-key-file",
            file.toString());
    return Files.readString(file).strip();
  }

  /** Starts a server over the data of the first one, with a directory of its own. */
  private ServerProcess startSecond() {
    List<String> options = new ArrayList<>(SuiteEngine.arguments(directory.resolve("data")));
    options.set(options.indexOf("--data-dir") + 1, directory.resolve("second").toString());
    options.addAll(List.of("--api-key-file", directory.resolve("api.key").toString()));
    options.addAll(List.of("--http-port", "0", "--grpc-port", "0", "--harp-port", "0"));
    options.add("--no-demo-agent");
    return ServerProcess.start(BuiltBridle.java(), directory.resolve("second.log"), options);
  }

  /**
   * What happens with one exchange.
   *
   * @param lifeMillis until its artifact expires
   * @param deciders how many approvers decide
   * @param withdrawn whether the enforcer takes it back
   */
  private record Race(
      String enforcer, String request, long lifeMillis, int deciders, boolean withdrawn) {
    boolean endsByItself() {
      return deciders == 0 && !withdrawn && lifeMillis > 60_000;
    }
  }

  /** Runs an exchange, checks it, and returns how it ended. */
  private String run(Race race) {
    HarpMessages messages = new HarpMessages(devices.get(0), race.enforcer(), "");
    Instant until = Instant.now().plusMillis(race.lifeMillis());
    Artifact artifact = HarpMessages.artifact(race.request(), until);
    ObjectNode submission = messages.submission(artifact);
    submission.remove("recipient"); // Asks all.
    assertThat(post(0, "/v1/artifacts", submission).status()).isEqualTo(202);
    String exchange = "/v1/exchanges/" + race.request();
    ConcurrentLinkedQueue<String> accepted = new ConcurrentLinkedQueue<>();
    List<CompletableFuture<Void>> racing = new ArrayList<>();
    for (int n = 0; n < race.deciders(); n++) {
      int approver = n;
      racing.add(CompletableFuture.runAsync(() -> decide(artifact, until, approver, accepted)));
    }
    if (race.withdrawn() || race.endsByItself()) {
      racing.add(
          CompletableFuture.runAsync(
              () -> {
                if (post(1, exchange + "/withdraw", Json.object()).status() == 200) {
                  accepted.add("withdrawn");
                }
              }));
    }
    racing.forEach(CompletableFuture::join);
    await().atMost(PATIENCE).until(() -> !state(0, exchange).equals("pendingApproval"));
    assertThat(accepted).as("what was accepted for %s", race.request()).hasSizeLessThan(2);
    String ended = accepted.isEmpty() ? "expired" : accepted.peek();
    Answer delivered = relays.get(1).get(exchange + "/wait?timeout=5");
    if (APPROVERS.contains(ended)) {
      assertThat(delivered.status()).as(delivered.text()).isEqualTo(200);
      DeviceKeys device = devices.get(APPROVERS.indexOf(ended));
      var unused = new HarpMessages(device, "", ended).verify(artifact, delivered.json());
      assertThat(post(0, "/v1/acks", messages.acknowledgment(delivered.json())).status())
          .isEqualTo(200);
      ended = "delivered";
    } else {
      assertThat(delivered.status()).isEqualTo(204);
    }
    assertThat(List.of(state(0, exchange), state(1, exchange))).containsOnly(ended);
    return ended;
  }

  private void decide(
      Artifact artifact, Instant until, int approver, ConcurrentLinkedQueue<String> accepted) {
    String name = APPROVERS.get(approver);
    HarpMessages messages = new HarpMessages(devices.get(approver), "", name);
    ObjectNode decision =
        messages.decision(
            Decision.Subject.of(artifact), until, dev.bridle.harp.core.Answer.ALLOW, "");
    Answer answer = asApprover(approver, approver % 2).post("/v1/decisions", decision);
    if (answer.status() == 200) {
      accepted.add(name);
    } else {
      assertThat(answer.status()).as(answer.text()).isIn(409, 422);
    }
  }

  private ProtocolClient asApprover(int approver, int relay) {
    return new ProtocolClient(relays.get(relay).base(), keys.get(approver));
  }

  /** Checks what an approver sees of all exchanges at a relay with its own credential. */
  private void assertSeenBy(int number, int relay, List<Race> races, List<String> states) {
    String name = APPROVERS.get(number);
    ProtocolClient approver = asApprover(number, relay);
    List<String> expired = new ArrayList<>();
    for (int i = 0; i < races.size(); i++) {
      String request = races.get(i).request();
      JsonNode seen = approver.get("/v1/exchanges/" + request).json().path("body");
      assertThat(seen.path("state").asText())
          .as("%s as %s sees it", request, name)
          .isEqualTo(states.get(i));
      assertThat(seen)
          .isEqualTo(relays.get(relay).get("/v1/exchanges/" + request).json().path("body"));
      if (states.get(i).equals("expired")) {
        expired.add(request);
      }
    }
    String inbox = "/v1/approvers/" + name + "/inbox";
    assertThat(approver.get(inbox).json().at("/body/items")).as("what waits for " + name).isEmpty();
    assertThat(approver.get(inbox + "/expired?limit=200").json().at("/body/items"))
        .extracting(item -> item.path("requestId").asText())
        .as("what %s has not decided in time", name)
        .containsExactlyInAnyOrderElementsOf(expired);
  }

  private String state(int relay, String exchange) {
    JsonNode status = relays.get(relay).get(exchange).json();
    return status.at("/body/state").textValue();
  }

  private Answer post(int relay, String path, ObjectNode body) {
    return relays.get(relay).post(path, body);
  }
}
