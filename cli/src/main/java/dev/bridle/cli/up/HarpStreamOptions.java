package dev.bridle.cli.up;

import dev.bridle.cli.tls.ServerCertificate;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.harpgateway.HarpGatewayOptions;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for the streams and WebSockets of the HARP relay. */
final class HarpStreamOptions {
  @Option(
      names = "--harp-ping",
      paramLabel = "TIME",
      description =
          "The interval of pings on a silent stream or WebSocket of the HARP relay (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "30s")
  private Duration ping = HarpGatewayOptions.DEFAULT_PING_INTERVAL;

  @Option(
      names = "--harp-unsent-bytes",
      paramLabel = "N",
      description =
          "The maximum bytes of the HARP relay that wait for readers, half of them for one tenant;"
              + " beyond that, the slowest channel is closed (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + HarpGatewayOptions.DEFAULT_MAX_UNSENT_BYTES)
  private long unsentBytes;

  /** Returns how HARP is served at a port; see {@link HarpServing} for the rest. */
  HarpServing at(
      int port, Optional<ListenerOptions> listener, Optional<ServerCertificate> certificate) {
    return new HarpServing(port, ping, unsentBytes, listener, certificate, true);
  }
}
