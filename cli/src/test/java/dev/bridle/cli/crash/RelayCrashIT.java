package dev.bridle.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.sampling.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills the relay's process at random moments while enforcers ask and two approvers race to decide,
 * with real seals and signatures. {@code -Dbridle.crash.seed=N} runs one again.
 */
@Tag("slow")
final class RelayCrashIT {
  private static final int KILLS =
      Integer.getInteger("bridle.crash.kills", Sample.of("kills").count(8));

  /** Its parties send as fast as the relay answers. */
  private static final String[] OPTIONS = {
    "--no-demo-agent",
    "--harp-port",
    "0",
    "--harp-max-submissions",
    "1000000",
    "--harp-max-decisions",
    "1000000"
  };

  private static final int ENFORCERS = 3;
  private static final int LONGEST_LIFE_MILLIS = 1500;
  private static final List<String> APPROVERS = List.of("ada", "ben");
  private static final Instant UNTIL = Instant.parse("2099-01-01T00:00:00Z");

  @TempDir private Path directory;
  private final Map<String, DeviceKeys> devices = new ConcurrentHashMap<>();

  /** Whose decision the relay has accepted, by request. */
  private final Map<String, String> accepted = new ConcurrentHashMap<>();

  /** How each request has ended, from the response to its enforcer. */
  private final Map<String, String> ended = new ConcurrentHashMap<>();

  private final AtomicBoolean quiet = new AtomicBoolean();
  private final AtomicBoolean allAsked = new AtomicBoolean();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  static LongStream seeds() {
    return LongStream.of(Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff));
  }

  @AfterEach
  void stop() {
    quiet.set(true);
    allAsked.set(true);
    threads.shutdownNow();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothingAcceptedIsLostHoweverOftenTheRelayIsKilled(long seed) throws IOException {
    Random random = new Random(seed);
    try (KilledServer server = new KilledServer(directory, OPTIONS)) {
      for (String approver : APPROVERS) {
        devices.put(approver, DeviceKeys.create(new SecureRandom()));
        assertThat(
                server
                    .client()
                    .post("/v1/harp/approvers", Json.object().put("approver_id", approver))
                    .status())
            .isEqualTo(201);
      }
      List<CompletableFuture<Void>> asking = new ArrayList<>();
      for (int i = 0; i < ENFORCERS; i++) {
        String enforcer = "gate-" + i;
        asking.add(CompletableFuture.runAsync(() -> ask(server, enforcer), threads));
      }
      List<CompletableFuture<Void>> deciding =
          APPROVERS.stream()
              .map(name -> CompletableFuture.runAsync(() -> decide(server, name), threads))
              .toList();
      for (int kill = 0; kill < KILLS; kill++) {
        int more = ended.size() + 5;
        await().atMost(Duration.ofMinutes(3)).until(() -> ended.size() >= more);
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS)).toNanos());
        server.restart();
      }
      quiet.set(true);
      asking.forEach(CompletableFuture::join);
      allAsked.set(true);
      deciding.forEach(CompletableFuture::join);
      ended.forEach((request, state) -> assertThat(state(server, request)).isEqualTo(state));
      assertThat(ended).as("requests that were decided").containsValue("delivered");
      server.kill();
    }
  }

  /** Submits requests, one after the other, and takes one back now and then. */
  private void ask(KilledServer server, String enforcer) {
    HarpMessages messages = new HarpMessages(devices.get(APPROVERS.get(0)), enforcer, "");
    for (int i = 0; !quiet.get(); i++) {
      Artifact artifact = HarpMessages.artifact(enforcer + "-" + i, UNTIL);
      ObjectNode submit = messages.submission(artifact);
      submit.remove("recipient"); // Asks both.
      assertThat(post(server, "/v1/artifacts", submit).status()).isEqualTo(202);
      String exchange = "/v1/exchanges/" + artifact.requestId();
      if (i % 4 == 3 && post(server, exchange + "/withdraw", Json.object()).status() == 200) {
        ended.put(artifact.requestId(), "withdrawn");
      } else {
        receive(server, messages, artifact);
      }
    }
  }

  /** Waits for a decision, verifies it, and acknowledges it. */
  private void receive(KilledServer server, HarpMessages messages, Artifact artifact) {
    String request = artifact.requestId();
    JsonNode delivered = awaitDecision(server, request);
    assertThat(awaitDecision(server, request)).as("the same message").isEqualTo(delivered);
    String decider = decider(delivered);
    var unused = new HarpMessages(devices.get(decider), "", decider).verify(artifact, delivered);
    assertThat(post(server, "/v1/acks", messages.acknowledgment(delivered)).status())
        .isEqualTo(200);
    assertThat(accepted.merge(request, decider, (was, is) -> was)).isEqualTo(decider);
    ended.put(request, "delivered");
  }

  private static JsonNode awaitDecision(KilledServer server, String request) {
    Answer answer;
    do {
      answer = get(server, "/v1/exchanges/" + request + "/wait?timeout=5");
    } while (answer.status() == 204);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.json();
  }

  /** Returns whose key a delivered decision names. */
  private String decider(JsonNode delivered) {
    String key = delivered.at("/body/signerKeyId").textValue();
    return APPROVERS.stream()
        .filter(name -> devices.get(name).signerKeyId().equals(key))
        .findFirst()
        .orElseThrow();
  }

  /** Decides all that comes into an inbox. */
  private void decide(KilledServer server, String approver) {
    HarpMessages messages = new HarpMessages(devices.get(approver), "", approver);
    while (!allAsked.get()) {
      JsonNode items = get(server, "/v1/approvers/" + approver + "/inbox").json().at("/body/items");
      for (JsonNode item : items) {
        String request = item.path("requestId").textValue();
        String hash = item.at("/body/artifactHash").textValue().replace("sha256:", "");
        ObjectNode decision =
            messages.decision(
                new Decision.Subject(request, hash, HarpMessages.PLACE),
                UNTIL,
                dev.bridle.harp.core.Answer.ALLOW,
                "");
        Answer answer = post(server, "/v1/decisions", decision);
        assertThat(answer.status()).as(answer.text()).isIn(200, 409);
        if (answer.status() == 200) {
          assertThat(accepted.merge(request, approver, (was, is) -> was))
              .as("who has decided %s", request)
              .isEqualTo(approver);
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  private static String state(KilledServer server, String request) {
    return get(server, "/v1/exchanges/" + request).json().at("/body/state").textValue();
  }

  static Answer get(KilledServer server, String path) {
    return sendUntilAnswered(server, path, Optional.empty());
  }

  static Answer post(KilledServer server, String path, ObjectNode body) {
    return sendUntilAnswered(server, path, Optional.of(body));
  }

  /** Sends a request until the relay lives and answers it. */
  private static Answer sendUntilAnswered(
      KilledServer server, String path, Optional<ObjectNode> body) {
    while (true) {
      try {
        var relay = server.relay();
        var call = relay.call(body.isPresent() ? "POST" : "GET", path);
        Answer answer = relay.send(body.isPresent() ? call.withBody(body.get()) : call);
        if (answer.status() < 500) {
          return answer;
        }
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
      } catch (UncheckedIOException dead) {
        // It is started again.
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
