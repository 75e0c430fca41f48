package dev.bridle.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.sampling.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills the process of core and relay at random moments while agents ask and a device signs, whose
 * own process dies now and then, too: before it sends what it has signed, or before it knows what
 * became of it. {@code -Dbridle.crash.seed=N} runs one again, {@code -Dbridle.harp.kills=N} says
 * how often.
 */
@Tag("slow")
final class SignedApprovalCrashIT {
  private static final int KILLS =
      Integer.getInteger("bridle.harp.kills", Sample.of("kills").count(8));
  private static final int LONGEST_LIFE_MILLIS = 1500;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final List<String> SESSIONS = List.of("s0", "s1", "s2");

  private static final String[] OPTIONS = {
    "--harp-port",
    "0",
    "--harp-max-decisions",
    "1000000",
    "--lease-time",
    "3s",
    "--heartbeat",
    "1s",
    "--max-attempts",
    "1000"
  };

  @TempDir private Path directory;
  private final HarpMessages device =
      new HarpMessages(DeviceKeys.create(new SecureRandom()), "", "phone");
  private final Queue<String> ended = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean quiet = new AtomicBoolean();
  private final AtomicBoolean allAnswered = new AtomicBoolean();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  static LongStream seeds() {
    return LongStream.of(Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff));
  }

  @AfterEach
  void stop() {
    quiet.set(true);
    allAnswered.set(true);
    threads.shutdownNow();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatIsSignedIsDoneOnceAndNobodyWaitsHoweverOftenTheServerIsKilled(long seed)
      throws IOException {
    Random random = new Random(seed);
    try (KilledServer server = new KilledServer(directory, OPTIONS)) {
      enrol(server);
      List<CompletableFuture<Void>> submitting =
          SESSIONS.stream()
              .map(name -> CompletableFuture.runAsync(() -> submit(server, name), threads))
              .toList();
      Random devices = new Random(random.nextLong());
      CompletableFuture<Void> deciding =
          CompletableFuture.runAsync(() -> decide(server, devices), threads);
      for (int kill = 0; kill < KILLS; kill++) {
        int more = ended.size() + 2;
        await().atMost(PATIENCE).until(() -> ended.size() >= more || deciding.isDone());
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS)).toNanos());
        server.restart();
      }
      quiet.set(true);
      submitting.forEach(CompletableFuture::join);
      assertThat(inbox(server)).as("what still waits for the device").isEmpty();
      allAnswered.set(true);
      deciding.join();
      for (String task : ended) {
        checkUses(server, task);
      }
      verifyOffline(server);
      server.kill();
    }
  }

  private void enrol(KilledServer server) {
    ObjectNode approver = Json.object().put("approver_id", "phone");
    assertThat(server.client().post("/v1/harp/approvers", approver).status()).isEqualTo(201);
    ObjectNode halves = device.publicHalves();
    ObjectNode enrolment =
        Json.object()
            .put("principal", "ada")
            .put("approver_id", "phone")
            .put("signer_key_id", halves.get("signerKeyId").textValue())
            .put("signing_key", halves.get("signingKey").textValue())
            .put("agreement_key", halves.get("agreementKey").textValue());
    assertThat(server.client().post("/v1/approval-devices", enrolment).status()).isEqualTo(201);
    ObjectNode rule = Json.object().put("name", "signed");
    rule.putArray("channels").add("harp");
    assertThat(server.client().post("/v1/approval-rules", rule).status()).isEqualTo(201);
  }

  /** Submits tasks that act, one after the other. */
  private void submit(KilledServer server, String name) {
    PatientClient client = new PatientClient(server.client());
    ObjectNode opened = Json.object().put("workspace_id", "default");
    String session = client.post("/v1/sessions", opened, name).json().get("id").textValue();
    for (int number = 0; !quiet.get(); number++) {
      String command = "make " + name + "-" + number;
      ObjectNode body = Json.object();
      body.putObject("input").putObject("act").put("tool", "shell").put("command", command);
      String task =
          client
              .post("/v1/sessions/" + session + "/tasks", body, command)
              .json()
              .get("id")
              .textValue();
      await()
          .atMost(PATIENCE)
          .until(
              () -> client.read("/v1/tasks/" + task).get("status").textValue(),
              "COMPLETED"::equals);
      ended.add(task);
    }
  }

  /** Signs all that comes, also again what it has forgotten about. */
  private void decide(KilledServer server, Random random) {
    while (!allAnswered.get()) {
      for (JsonNode item : inbox(server)) {
        Artifact shown = device.open(item);
        assertThat(shown.payload().get("content").textValue())
            .isEqualTo("{\"command\":\"" + command(server, shown) + "\"}");
        ObjectNode decision =
            device.decision(
                Decision.Subject.of(shown),
                Instant.now().plusSeconds(600),
                dev.bridle.harp.core.Answer.ALLOW,
                Long.toHexString(random.nextLong()));
        if (random.nextInt(4) == 0) {
          continue; // The device has died: it signs anew, with another nonce.
        }
        Answer answer = RelayCrashIT.post(server, "/v1/decisions", decision);
        assertThat(answer.status()).as(answer.text()).isIn(200, 409);
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private String command(KilledServer server, Artifact shown) {
    String task = shown.payload().get("taskId").textValue();
    return new PatientClient(server.client())
        .read("/v1/tasks/" + task)
        .at("/input/act/command")
        .textValue();
  }

  private static List<JsonNode> inbox(KilledServer server) {
    JsonNode items = RelayCrashIT.get(server, "/v1/approvers/phone/inbox").json().at("/body/items");
    return StreamSupport.stream(items.spliterator(), false).toList();
  }

  /** Each use has an approval of its own, which the device has signed. */
  private void checkUses(KilledServer server, String task) {
    PatientClient client = new PatientClient(server.client());
    List<String> used =
        client.all("/v1/tasks/" + task + "/events", "after_event_id").stream()
            .filter(event -> event.get("event").textValue().equals("vendor.bridle.permission_used"))
            .map(event -> event.at("/payload/permission_request_id").textValue())
            .toList();
    assertThat(used).as("uses of the approvals of " + task).isNotEmpty().doesNotHaveDuplicates();
    Map<String, JsonNode> requests =
        client.all("/v1/permission-requests?task_id=" + task, "cursor").stream()
            .collect(Collectors.toMap(one -> one.get("id").textValue(), one -> one));
    assertThat(requests.values()).noneMatch(one -> one.get("status").textValue().equals("pending"));
    for (String request : used) {
      JsonNode answers = requests.get(request).at("/response/answers");
      assertThat(answers).hasSize(1);
      assertThat(answers.at("/0/channel").textValue()).isEqualTo("harp");
      assertThat(answers.at("/0/actor").textValue()).isEqualTo("ada");
    }
  }

  private void verifyOffline(KilledServer server) throws IOException {
    PatientClient client = new PatientClient(server.client());
    Path keys = directory.resolve("keys.json");
    Files.write(keys, server.client().get("/.well-known/receipt-keys.json").bytes());
    List<String> words = new ArrayList<>(List.of("receipt", "verify", "--keys", keys.toString()));
    for (String task : ended) {
      String receipt = client.read("/v1/tasks/" + task + "/receipts").at("/data/0/id").textValue();
      Path file = directory.resolve(task + ".jsonl");
      Files.write(file, server.client().get("/v1/receipts/" + receipt + "/evidence").bytes());
      words.addAll(List.of("--evidence", file.toString()));
    }
    String said = Commands.run(0, words.toArray(String[]::new)).out();
    Stream<String> approvals = said.lines().filter(line -> line.contains(" approval "));
    assertThat(approvals)
        .hasSizeGreaterThanOrEqualTo(ended.size())
        .allMatch(line -> line.contains("approved; signed by ada; "));
  }
}
