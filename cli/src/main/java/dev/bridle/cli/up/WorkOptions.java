package dev.bridle.cli.up;

import dev.bridle.cli.console.Spans;
import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.work.replay.ReplayOptions;
import dev.bridle.core.work.task.TaskOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options for the dispatch of tasks to workers and for outbound calls. */
final class WorkOptions {

  @Option(
      names = "--no-demo-agent",
      description =
          "Do not run the built-in demo agent, which takes tasks that no worker is bound to.")
  private boolean noDemoAgent;

  @Option(
      names = "--lease-time",
      paramLabel = "TIME",
      description =
          "The lease time: a task returns to the queue if its worker sends no heartbeat for so"
              + " long (default: 15s, or"
              + " 30s in a cluster).")
  private Optional<Duration> leaseTime = Optional.empty();

  @Option(
      names = "--heartbeat",
      paramLabel = "TIME",
      description = "The heartbeat interval of workers (default: 5s, or 10s in a cluster).")
  private Optional<Duration> heartbeat = Optional.empty();

  @Option(
      names = "--max-attempts",
      paramLabel = "N",
      description =
          "The maximum number of attempts before a task fails (default: ${DEFAULT-VALUE}).",
      defaultValue = "3")
  private int maxAttempts;

  @Option(
      names = "--cancel-grace",
      paramLabel = "TIME",
      description =
          "The time that a worker has to stop after a cancel request before its lease ends"
              + " (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "10s")
  private Duration cancelGrace = Duration.ofSeconds(10);

  @Option(
      names = "--max-permission-requests",
      paramLabel = "N",
      description =
          "The maximum number of permission requests per task (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  private int maxPermissionRequests;

  @Option(
      names = "--replay-worker-wait",
      paramLabel = "TIME",
      description =
          "The time that a replay whose handler is to run waits for a worker of its agent that runs"
              + " replays, before it fails; 1s to 24h (default: ${DEFAULT-VALUE}).",
      converter = ReplayWorkerWait.class,
      defaultValue = "2m")
  private ReplayOptions replays = ReplayOptions.DEFAULT;

  @Option(
      names = "--allow-outbound",
      paramLabel = "CIDR",
      description =
          "A range of addresses, such as 10.1.0.0/16, that the server may call in addition to"
              + " public"
              + " ones, also without encryption; can be repeated.")
  private List<String> allowOutbound = List.of();

  @Option(
      names = "--min-poll-interval",
      paramLabel = "TIME",
      description =
          "The minimum interval between polls of a connector (default: ${DEFAULT-VALUE}).",
      defaultValue = "30s")
  private Duration minPollInterval = Duration.ofSeconds(30);

  @Option(
      names = "--workspace-root",
      paramLabel = "DIR",
      description =
          "A folder of this machine in which workspaces of all tenants may have folders; in a"
              + " cluster, the same for all servers (default: none; files of workspaces are"
              + " stored with the"
              + " data).")
  private Optional<Path> workspaceRoot = Optional.empty();

  Optional<Path> workspaceRoot() {
    return workspaceRoot;
  }

  boolean demoAgent() {
    return !noDemoAgent;
  }

  /**
   * A cluster that lost a process commits nothing for seconds; leases must last longer than that.
   */
  CoreOptions core(ListenOptions listen, boolean onCluster) {
    return CoreOptions.DEFAULT
        .withListener(listen.host(), listen.grpcPort())
        .withTasks(
            TaskOptions.DEFAULT
                .withLease(
                    leaseTime.orElse(Duration.ofSeconds(onCluster ? 30 : 15)),
                    heartbeat.orElse(Duration.ofSeconds(onCluster ? 10 : 5)))
                .withMaxAttempts(maxAttempts)
                .withCancelGrace(cancelGrace)
                .withMaxPermissionRequests(maxPermissionRequests))
        .withReplays(replays)
        .withOutbound(
            OutboundOptions.DEFAULT.withAllowed(
                allowOutbound.stream().map(AddressRange::parse).toList()))
        .withPolls(PollOptions.DEFAULT.withLeastInterval(minPollInterval))
        .withMakeFirstKey(true);
  }

  /** Rejects a wait that is too short or too long. */
  private static final class ReplayWorkerWait implements ITypeConverter<ReplayOptions> {
    @Override
    public ReplayOptions convert(String text) {
      Duration wait = Spans.parse(text);
      try {
        return new ReplayOptions(wait);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "' is not between 1s and 24h");
      }
    }
  }
}
