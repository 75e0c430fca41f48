package dev.bridle.cli.up;

import dev.bridle.connection.ConnectionLimits;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options that limit the connections of the listeners. */
final class ConnectionOptions {

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      description =
          "The maximum number of open connections of REST, and again of the HARP relay (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "" + ListenerOptions.DEFAULT_MAX_CONNECTIONS)
  private int maxConnections;

  @Option(
      names = "--max-connections-per-address",
      paramLabel = "N",
      description =
          "The maximum number of them from one IPv4 address or one /64 network of IPv6, except from"
              + " this machine; raise it if a reverse proxy on another one connects (default: a"
              + " tenth of --max-connections).")
  private Optional<Integer> maxConnectionsPerAddress = Optional.empty();

  @Option(
      names = "--max-grpc-connections",
      paramLabel = "N",
      description = "The maximum number of open connections over gRPC (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + CoreOptions.DEFAULT_MAX_CONNECTIONS)
  private int maxGrpcConnections;

  CoreOptions on(CoreOptions options) {
    return options.withMaxConnections(maxGrpcConnections);
  }

  ListenerOptions on(ListenerOptions options) {
    return options.withConnections(
        ConnectionLimits.of(
            maxConnections, maxConnectionsPerAddress.orElse(Math.max(1, maxConnections / 10))));
  }
}
