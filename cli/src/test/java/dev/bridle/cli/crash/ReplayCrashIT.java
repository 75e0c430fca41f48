package dev.bridle.cli.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.Parts;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import dev.bridle.worker.WorkerBuilder;
import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills the server at the calls of a worker that runs replays with overrides, of a whole task and
 * from a checkpoint on, and that computes a value anew. The seed is in the test's name; {@code
 * -Dbridle.crash.seed=N} runs one again.
 */
@Tag("slow")
final class ReplayCrashIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int FEW = 2;
  private static final List<ObjectNode> REQUESTS =
      List.of(
          overriding("with_overrides"),
          from(overriding("from_checkpoint")),
          from(Json.object().put("mode", "from_checkpoint")),
          refreshing());

  /** What each replay makes anew. */
  private static final Pattern OWN_ID =
      Pattern.compile("\\b(artifact|branch|message|outcome)_[0-9a-z]{26}");

  @TempDir private Path directory;

  /** A replay that has ended: its events but those of attempts, and its segment's receipt. */
  private record Ended(String status, List<String> events, String segment) {}

  /**
   * When the server is killed.
   *
   * @param call at which of the worker's calls, from 1 on
   * @param answered whether it answers that call first
   * @param outlives whether the worker outlives the server, or dies with it
   */
  private record Kill(int call, boolean answered, boolean outlives) {}

  static List<ObjectNode> requests() {
    return REQUESTS;
  }

  static LongStream seeds() {
    return LongStream.of(Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aReplayWithOverridesInWhichTheServerIsKilledIsTheSameReplay(long seed) throws Exception {
    Random random = new Random(seed);
    try (KilledServer server = new KilledServer(directory, "--no-demo-agent")) {
      String task = completed(server);
      List<Ended> undisturbed = new ArrayList<>();
      int calls = undisturbed(server, task, REQUESTS, undisturbed);
      for (int i = 0; i < FEW; i++) {
        int call = 1 + random.nextInt(calls);
        assertKilledAt(server, task, REQUESTS, new Kill(call, i == 0, true), undisturbed);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("requests")
  void aReplayWithOverridesIsTheSameReplayWhereverTheServerIsKilled(ObjectNode request)
      throws Exception {
    List<ObjectNode> one = List.of(request);
    try (KilledServer server = new KilledServer(directory, "--no-demo-agent")) {
      String task = completed(server);
      List<Ended> undisturbed = new ArrayList<>();
      int calls = undisturbed(server, task, one, undisturbed);
      for (int call = 1; call <= calls; call++) {
        assertKilledAt(server, task, one, new Kill(call, true, true), undisturbed);
        // A call that never came leaves the server as the one before it did, so these are few; and
        // it takes long until the lease of a worker that died is quiet.
        if (call % 3 == 0) {
          assertKilledAt(server, task, one, new Kill(call, call % 2 == 0, false), undisturbed);
        } else if (call % 3 == 1) {
          assertKilledAt(server, task, one, new Kill(call, false, true), undisturbed);
        }
      }
    }
  }

  private static void assertKilledAt(
      KilledServer server,
      String task,
      List<ObjectNode> requests,
      Kill kill,
      List<Ended> undisturbed)
      throws InterruptedException {
    assertThat(killedAt(server, task, requests, kill)).as("%s", kill).isEqualTo(undisturbed);
  }

  /** Decides by what is recorded what it says and makes. */
  private static TaskResult decide(TaskContext task) throws Exception {
    task.progress("planning");
    var unused = task.checkpoint("half", Json.object());
    String answer =
        task.step(
            "llm:answer",
            String.class,
            () -> {
              task.progress("asking");
              return "yes";
            });
    task.progress("answered");
    task.message("said", List.of(Parts.text("It is " + answer + ".")));
    task.event(answer.equals("yes") ? "agreed" : "refused", "vendor.decided", Json.object());
    String detail = task.step("mcp:detail", String.class, () -> "detail");
    var artifact =
        task.artifact(
            "file",
            ArtifactKind.ARTIFACT_KIND_FILE,
            "text/plain",
            (answer + detail).getBytes(UTF_8));
    return TaskResult.of("It was " + answer + ".").withArtifact(artifact);
  }

  private static ObjectNode overriding(String mode) {
    ObjectNode request = Json.object().put("mode", mode);
    request
        .putObject("override")
        .putObject("llm:answer")
        .put("kind", "llm_provider_response")
        .put("value", "no");
    return request;
  }

  private static ObjectNode refreshing() {
    ObjectNode request = Json.object().put("mode", "with_overrides");
    request.putArray("refresh").add("llm:answer");
    return request;
  }

  private static ObjectNode from(ObjectNode request) {
    return request.put("checkpoint_id", "half");
  }

  private static WorkerBuilder worker(Channel channel, String key) {
    return Worker.builder(channel)
        .credentials(key)
        .agentId("decider")
        .bindings(List.of(WorkerBinding.newBuilder().setWorkspaceId("default").build()))
        .handlerFacts(HandlerFacts.of("decider", "1.0").withAllRecorded())
        .slots(1)
        .closeGrace(Duration.ZERO)
        .handler(ReplayCrashIT::decide);
  }

  private static ManagedChannel channel(KilledServer server) {
    return NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort()).usePlaintext().build();
  }

  private static String completed(KilledServer server) {
    ManagedChannel channel = channel(server);
    try (Worker worker = worker(channel, server.key()).build()) {
      worker.start();
      ProtocolClient client = server.client();
      ObjectNode session = Json.object().put("workspace_id", "default");
      String in = client.post("/v1/sessions", session).json().get("id").textValue();
      ObjectNode body = Json.object();
      body.putObject("input").put("text", "decide");
      String task = client.post("/v1/sessions/" + in + "/tasks", body).json().get("id").textValue();
      assertThat(ended(client, task)).isEqualTo("COMPLETED");
      return task;
    } finally {
      channel.shutdownNow();
    }
  }

  /** Replays without a kill, and returns how many calls the worker makes. */
  private static int undisturbed(
      KilledServer server, String task, List<ObjectNode> requests, List<Ended> ended) {
    KilledAtCall none = new KilledAtCall(0, false, () -> {});
    ManagedChannel channel = channel(server);
    List<String> replays = requested(server, task, requests);
    try (Worker worker = replaying(channel, server, none)) {
      worker.start();
      replays.forEach(replay -> ended.add(end(server.client(), replay)));
    } finally {
      channel.shutdownNow();
    }
    assertThat(ended).extracting(Ended::status).containsOnly("COMPLETED");
    assertThat(ended).extracting(Ended::segment).doesNotContain("").doesNotHaveDuplicates();
    return none.calls();
  }

  /** Replays, and kills the server meanwhile. */
  private static List<Ended> killedAt(
      KilledServer server, String task, List<ObjectNode> requests, Kill at)
      throws InterruptedException {
    KilledAtCall kill = new KilledAtCall(at.call(), at.answered(), server::killNow);
    List<String> replays = requested(server, task, requests);
    ManagedChannel channel = channel(server);
    ManagedChannel further = channel(server);
    try (Worker worker = replaying(channel, server, kill);
        Worker next = replaying(further, server, new KilledAtCall(0, false, () -> {}))) {
      worker.start();
      assertThat(kill.await(PATIENCE.toSeconds())).as("%s", at).isTrue();
      if (!at.outlives()) {
        channel.shutdownNow();
      }
      server.restart();
      if (!at.outlives()) {
        next.start();
      }
      return replays.stream().map(replay -> end(server.client(), replay)).toList();
    } finally {
      channel.shutdownNow();
      further.shutdownNow();
    }
  }

  private static Worker replaying(Channel channel, KilledServer server, KilledAtCall kill) {
    return worker(ClientInterceptors.intercept(channel, kill), server.key()).replays().build();
  }

  private static List<String> requested(
      KilledServer server, String task, List<ObjectNode> requests) {
    List<String> replays = new ArrayList<>();
    for (ObjectNode request : requests) {
      JsonNode accepted = server.client().post("/v1/tasks/" + task + "/replay", request).json();
      assertThat(accepted.path("status").asText()).as("%s", accepted).isEqualTo("SUBMITTED");
      replays.add(accepted.get("id").textValue());
    }
    return replays;
  }

  private static Ended end(ProtocolClient client, String replay) {
    String status = ended(client, replay);
    JsonNode events = client.get("/v1/tasks/" + replay + "/events?limit=200").json().get("data");
    List<String> said = new ArrayList<>();
    String segment = "";
    for (JsonNode event : events) {
      String kind = event.get("event").textValue();
      JsonNode payload = event.get("payload");
      if (!kind.startsWith("vendor.bridle.attempt_")) {
        said.add(kind + " " + OWN_ID.matcher(payload.toString()).replaceAll("$1"));
      }
      if (kind.equals("replay.completed")) {
        String artifact = payload.get("artifact_id").textValue();
        segment = client.get("/v1/artifacts/" + artifact + "/content").text();
      }
    }
    return new Ended(status, said, segment);
  }

  private static String ended(ProtocolClient client, String task) {
    await("the end of " + task)
        .atMost(PATIENCE)
        .until(() -> !Set.of("SUBMITTED", "WORKING").contains(status(client, task)));
    return status(client, task);
  }

  private static String status(ProtocolClient client, String task) {
    return client.get("/v1/tasks/" + task).json().get("status").textValue();
  }
}
