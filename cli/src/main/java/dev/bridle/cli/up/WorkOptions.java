package dev.bridle.cli.up;

import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.task.TaskOptions;
import dev.bridle.storage.embedded.EmbeddedOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options about how tasks are given to workers, and about the store. */
final class WorkOptions {

  @Option(
      names = "--no-demo-agent",
      description = "Leave tasks that no worker is bound to to workers that take any.")
  private boolean noDemoAgent;

  @Option(
      names = "--lease-time",
      paramLabel = "TIME",
      description =
          "How long a worker may be silent before its task goes back to the queue (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "15s")
  private Duration leaseTime = Duration.ofSeconds(15);

  @Option(
      names = "--heartbeat",
      paramLabel = "TIME",
      description = "How often a worker tells that it lives (default: ${DEFAULT-VALUE}).",
      defaultValue = "5s")
  private Duration heartbeat = Duration.ofSeconds(5);

  @Option(
      names = "--max-attempts",
      paramLabel = "N",
      description = "How often a task is tried before it fails (default: ${DEFAULT-VALUE}).",
      defaultValue = "3")
  private int maxAttempts;

  @Option(
      names = "--cancel-grace",
      paramLabel = "TIME",
      description =
          "How long a worker has to stop after a cancel request before it is cut off (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "10s")
  private Duration cancelGrace = Duration.ofSeconds(10);

  @Option(
      names = "--accept-loss",
      description = "Start on data of which acknowledged parts are missing.")
  private boolean acceptLoss;

  @Option(
      names = "--min-free-bytes",
      paramLabel = "N",
      description =
          "Refuse writes while the disk of the data has less room than this; 0: never (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "268435456")
  private long minFreeBytes;

  boolean demoAgent() {
    return !noDemoAgent;
  }

  EmbeddedOptions store() {
    return EmbeddedOptions.DEFAULT.withAcceptLoss(acceptLoss).withMinFreeBytes(minFreeBytes);
  }

  CoreOptions core(ListenOptions listen) {
    return CoreOptions.DEFAULT
        .withListener(listen.host(), listen.grpcPort())
        .withTasks(
            TaskOptions.DEFAULT
                .withLease(leaseTime, heartbeat)
                .withMaxAttempts(maxAttempts)
                .withCancelGrace(cancelGrace))
        .withMakeFirstKey(true);
  }
}
