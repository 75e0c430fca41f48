package dev.bridle.cli.up;

import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  String host() {
    return host;
  }

  int grpcPort() {
    return grpcPort;
  }

  String described() {
    return host + ", port " + httpPort + " or " + grpcPort + ",";
  }

  GatewayOptions gateway() {
    ListenerOptions listener =
        ListenerOptions.defaults()
            .withAddress(host, httpPort)
            .withAllowedOrigins(Set.copyOf(allowedOrigins));
    return GatewayOptions.defaults()
        .withListener(on -> publicUrl.map(listener::withPublicUrl).orElse(listener));
  }
}
