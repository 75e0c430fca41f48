package dev.bridle.cli.up;

import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the addresses and ports that the server listens on. */
final class ListenOptions {

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "The address to listen on (default: ${DEFAULT-VALUE}, this machine only).",
      defaultValue = ListenerOptions.DEFAULT_HOST)
  private String host = ListenerOptions.DEFAULT_HOST;

  @Option(
      names = "--http-port",
      paramLabel = "N",
      description =
          "The port of REST, SSE and WebSockets; 0: any free one (default: ${DEFAULT-VALUE}).",
      defaultValue = "8080")
  private int httpPort;

  @Option(
      names = "--grpc-port",
      paramLabel = "N",
      description = "The port for workers, over gRPC; 0: any free one (default: ${DEFAULT-VALUE}).",
      defaultValue = "9090")
  private int grpcPort;

  @Option(
      names = "--harp-port",
      paramLabel = "N",
      description =
          "The port of the HARP relay for enforcers and approvers; 0: any free one (default: not"
              + " served). Requires --tls-cert beyond this machine.")
  private Optional<Integer> harpPort = Optional.empty();

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description = "The URL at which clients reach REST and SSE (default: the listening address).")
  private Optional<URI> publicUrl = Optional.empty();

  @Option(
      names = "--allowed-origin",
      paramLabel = "ORIGIN",
      description =
          "An allowed origin, such as https://console.example, whose pages may call REST, read"
              + " streams and open"
              + " WebSockets, besides the server's own; can be repeated, *: any.")
  private List<String> allowedOrigins = List.of();

  @Option(
      names = "--allowed-host",
      paramLabel = "NAME",
      description =
          "A name by which clients reach a server that listens on this machine only, such as that of"
              + " a reverse proxy that passes it on, besides localhost and the host of --public-url; can be"
              + " repeated.")
  private List<String> allowedHosts = List.of();

  @Mixin private HarpStreamOptions streams = new HarpStreamOptions();
  @Mixin private TlsOptions tls = new TlsOptions();

  TlsOptions tls() {
    return tls;
  }

  String host() {
    return host;
  }

  int grpcPort() {
    return grpcPort;
  }

  Optional<HarpServing> harp() {
    return harpPort.map(port -> streams.at(port, Optional.empty(), Optional.empty()));
  }

  /** Returns the addresses and how others are chosen, for the message that one is taken. */
  ServerRun.Ports ports() {
    return new ServerRun.Ports(described(), "--http-port, --grpc-port and --harp-port");
  }

  private String described() {
    return host
        + ", port "
        + httpPort
        + harpPort.map(port -> ", " + port).orElse("")
        + " or "
        + grpcPort
        + ",";
  }

  GatewayOptions gateway() {
    ListenerOptions listener =
        ListenerOptions.defaults()
            .withAddress(host, httpPort)
            .withAllowedOrigins(Set.copyOf(allowedOrigins))
            .withAllowedHosts(Set.copyOf(allowedHosts));
    return GatewayOptions.defaults()
        .withListener(on -> publicUrl.map(listener::withPublicUrl).orElse(listener));
  }
}
