package dev.bridle.cli.replay;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import dev.bridle.worker.WorkerBuilder;
import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays of a real server whose handler no worker runs. */
@Tag("slow")
final class UnclaimedReplayIT {
  private static final String DATA = "data";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;

  @Test
  void theReplayFailsByTheNameOfTheAgentAndSucceedsOnceThereIsAWorker() throws IOException {
    Commands commands = new Commands(directory);
    try (UpThread server = commands.start(DATA, "--replay-worker-wait", "5s")) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort()).usePlaintext().build();
      try (Worker worker = writer(channel, commands.key(DATA)).build()) {
        worker.start();
        String task = completed(commands.client(server, DATA));

        Commands.Said said = replay(ExitCodes.RECEIPT_NOT_COMPLETE, server, commands, task);

        assertThat(said.err()).contains("waiting for a worker of writer that takes replays");
        assertThat(said.out())
            .contains(
                "replay_unavailable: host:worker:writer: no worker of this agent that runs replays"
                    + " has taken it within 5 seconds",
                task + " was not replayed: see above for what is missing.");
        try (Worker replays = writer(channel, commands.key(DATA)).replays().build()) {
          replays.start();
          assertThat(replay(ExitCodes.DONE, server, commands, task).out())
              .contains(task + " replayed: ");
        }
      } finally {
        channel.shutdownNow();
      }
    }
    run(0, "storage", "check", "--data-dir", commands.path(DATA));
  }

  @Test
  void aWaitThatIsTooShortOrTooLongIsRejected() {
    for (String wrong : List.of("999ms", "25h")) {
      assertThat(
              run(
                      ExitCodes.USAGE,
                      "up",
                      "--data-dir",
                      directory.resolve(DATA).toString(),
                      "--replay-worker-wait",
                      wrong)
                  .err())
          .contains("--replay-worker-wait", "'" + wrong + "' is not between 1s and 24h");
    }
    assertThat(directory.resolve(DATA)).doesNotExist();
  }

  private static WorkerBuilder writer(ManagedChannel channel, String key) {
    return Worker.builder(channel)
        .credentials(key)
        .agentId("writer")
        .bindings(List.of(WorkerBinding.newBuilder().setWorkspaceId("default").build()))
        .handlerFacts(HandlerFacts.of("writer", "1.0").withAllRecorded())
        .handler(context -> TaskResult.of("done"));
  }

  private static String completed(ProtocolClient client) {
    ObjectNode session = Json.object().put("workspace_id", "default");
    String id = client.post("/v1/sessions", session).json().get("id").textValue();
    ObjectNode task = Json.object();
    task.putObject("input").put("text", "work");
    JsonNode submitted = client.post("/v1/sessions/" + id + "/tasks", task).json();
    String made = submitted.get("id").textValue();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                client
                    .get("/v1/tasks/" + made)
                    .json()
                    .get("status")
                    .textValue()
                    .equals("COMPLETED"));
    return made;
  }

  private static Commands.Said replay(
      int exitCode, UpThread server, Commands commands, String task) {
    return run(
        exitCode,
        "replay",
        task,
        "--depth",
        "execute",
        "--url",
        server.url().toString(),
        "--api-key-file",
        commands.path(DATA + ".key"));
  }
}
