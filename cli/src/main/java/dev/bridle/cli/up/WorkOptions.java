package dev.bridle.cli.up;

import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.work.task.TaskOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options about how tasks are given to workers, and what the server calls. */
final class WorkOptions {

  @Option(
      names = "--no-demo-agent",
      description = "Leave tasks that no worker is bound to to workers that take any.")
  private boolean noDemoAgent;

  @Option(
      names = "--lease-time",
      paramLabel = "TIME",
      description =
          "How long a worker may be silent before its task goes back to the queue (default: 15s, or"
              + " 30s on a cluster).")
  private Optional<Duration> leaseTime = Optional.empty();

  @Option(
      names = "--heartbeat",
      paramLabel = "TIME",
      description = "How often a worker tells that it lives (default: 5s, or 10s on a cluster).")
  private Optional<Duration> heartbeat = Optional.empty();

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
      names = "--max-permission-requests",
      paramLabel = "N",
      description = "How many permissions a task may ask for (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  private int maxPermissionRequests;

  @Option(
      names = "--allow-outbound",
      paramLabel = "CIDR",
      description =
          "A range of addresses, such as 10.1.0.0/16, that the server may call out to beside public"
              + " ones, also without encryption (may be repeated).")
  private List<String> allowOutbound = List.of();

  @Option(
      names = "--min-poll-interval",
      paramLabel = "TIME",
      description = "How far the polls of a connector must lie apart (default: ${DEFAULT-VALUE}).",
      defaultValue = "30s")
  private Duration minPollInterval = Duration.ofSeconds(30);

  boolean demoAgent() {
    return !noDemoAgent;
  }

  /** A cluster that lost a process commits nothing for seconds, which leases have to outlive. */
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
        .withOutbound(
            OutboundOptions.DEFAULT.withAllowed(
                allowOutbound.stream().map(AddressRange::parse).toList()))
        .withPolls(PollOptions.DEFAULT.withLeastInterval(minPollInterval))
        .withMakeFirstKey(true);
  }
}
