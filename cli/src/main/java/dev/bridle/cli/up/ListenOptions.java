package dev.bridle.cli.up;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

  @Mixin private HarpListenOptions harp = new HarpListenOptions();
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

  /** Returns the files of private keys. */
  List<KeyFiles.KeyFile> keyFiles() {
    return Stream.concat(tls.keyFiles().stream(), harp.keyFiles().stream()).toList();
  }

  /**
   * Returns how HARP is served, if it is.
   *
   * @param notices receives messages for the operator
   */
  Optional<HarpServing> harp(Consumer<String> notices) {
    if (!harp.withoutPort().isEmpty()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          String.join(", ", harp.withoutPort()) + " requires --harp-port: HARP is not served.");
    }
    return harp.port()
        .map(port -> streams.at(port, harp.listener(listener()), harp.certificate(notices)));
  }

  /** Returns the addresses and how others are chosen, for the message that one is taken. */
  ServerRun.Ports ports() {
    return new ServerRun.Ports(described(), "--http-port, --grpc-port and --harp-port");
  }

  private String described() {
    return host
        + ", port "
        + httpPort
        + harp.port().map(port -> ", " + port).orElse("")
        + " or "
        + grpcPort
        + ",";
  }

  GatewayOptions gateway() {
    return GatewayOptions.defaults().withListener(on -> listener());
  }

  private ListenerOptions listener() {
    ListenerOptions listener =
        ListenerOptions.defaults()
            .withAddress(host, httpPort)
            .withAllowedOrigins(Set.copyOf(allowedOrigins))
            .withAllowedHosts(Set.copyOf(allowedHosts));
    return publicUrl.map(listener::withPublicUrl).orElse(listener);
  }
}
