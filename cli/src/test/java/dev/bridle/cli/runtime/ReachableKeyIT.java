package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bridle.cli.process.Commands;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Isolation;
import dev.bridle.host.process.Spawner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hosted agent that reads a key approves itself, so a server with one within reach hosts none.
 */
final class ReachableKeyIT {
  @TempDir private Path directory;

  private static Isolation isolation(Path hidden) throws Exception {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      return AgentLauncher.create(new Spawner(), Optional.of(hidden), timer).isolation();
    } finally {
      timer.shutdownNow();
    }
  }

  @Test
  void aServerWhoseKeyAnAgentCouldReadDoesNotHost() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Isolation isolation = isolation(data);
    if (!isolation.tier().hidesFiles()) {
      System.out.println("Skipped: this machine hides no files: " + isolation.reasons());
    }
    assumeTrue(isolation.tier().hidesFiles(), "nothing is hidden here");
    Path runtimes =
        Files.writeString(
            directory.resolve("runtimes.json"),
            "{\"runtimes\":{\"own\":{\"command\":[\"true\"],\"process\":\"session\"}}}");
    Path key = directory.resolve("api.key");

    String[] up = {
      "up",
      "--data-dir",
      data.toString(),
      "--api-key-file",
      key.toString(),
      "--http-port",
      "0",
      "--grpc-port",
      "0",
      "--no-demo-agent",
      "--runtimes",
      runtimes.toString()
    };
    assertThat(Commands.run(2, up).err())
        .contains("--api-key-file " + key + " lies where hosted agents can read it")
        .contains("Move it below " + data.toRealPath());
    assertThat(key).as("no key is written there").doesNotExist();
  }
}
