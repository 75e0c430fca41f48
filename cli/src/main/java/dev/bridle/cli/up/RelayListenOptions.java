package dev.bridle.cli.up;

import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.oauth.v1.OAuthServiceGrpc;
import dev.bridle.permission.v1.ApprovalDevicePairingServiceGrpc;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.ApprovalDeviceTestServiceGrpc;
import dev.bridle.relay.v1.RelayAdminServiceGrpc;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the addresses and ports that a stand-alone relay listens on. */
final class RelayListenOptions {
  /** What is for administrators is served to this machine only. */
  private static final String ADMIN_HOST = ListenerOptions.DEFAULT_HOST;

  /** The services that a relay needs: no sessions, tasks, workspaces or vaults. */
  private static final Set<String> SERVICES =
      Set.of(
          RelayAdminServiceGrpc.SERVICE_NAME,
          DiscoveryServiceGrpc.SERVICE_NAME,
          OAuthServiceGrpc.SERVICE_NAME);

  /** With the page for phones, administrators pair phones too. */
  private static final Set<String> WITH_PHONES =
      Stream.concat(
              SERVICES.stream(),
              Stream.of(
                  ApprovalDevicePairingServiceGrpc.SERVICE_NAME,
                  ApprovalDeviceServiceGrpc.SERVICE_NAME,
                  ApprovalDeviceTestServiceGrpc.SERVICE_NAME))
          .collect(Collectors.toUnmodifiableSet());

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description =
          "The address at which HARP is served (default: ${DEFAULT-VALUE}, this machine only)."
              + " Requires --tls-cert beyond this machine.",
      defaultValue = ListenerOptions.DEFAULT_HOST)
  private String host = ListenerOptions.DEFAULT_HOST;

  @Option(
      names = "--harp-port",
      paramLabel = "N",
      description =
          "The port of HARP for enforcers and approvers; 0: any free one (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "8085")
  private int harpPort;

  @Option(
      names = "--allowed-origin",
      paramLabel = "ORIGIN",
      description =
          "An allowed origin, such as https://phone.example, whose pages may use HARP; can be"
              + " repeated, *: any.")
  private List<String> allowedOrigins = List.of();

  @Option(
      names = "--allowed-host",
      paramLabel = "NAME",
      description =
          "A name by which clients reach a server that listens on this machine only, such as that of"
              + " a reverse proxy that passes it on, besides localhost; can be"
              + " repeated.")
  private List<String> allowedHosts = List.of();

  @Option(
      names = "--admin-port",
      paramLabel = "N",
      description =
          "The port at "
              + ADMIN_HOST
              + " of REST for parties, the audit log, tokens and the server's status; 0: any free"
              + " one (default: ${DEFAULT-VALUE}).",
      defaultValue = "8086")
  private int adminPort;

  @Option(
      names = "--grpc-port",
      paramLabel = "N",
      description =
          "The port at "
              + ADMIN_HOST
              + " for commands such as 'bridle apikey', over gRPC; 0: any free one (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "9090")
  private int grpcPort;

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description =
          "The URL at which enforcers and approvers reach HARP, such as that of a reverse proxy"
              + " (default: the listening address).")
  private Optional<URI> publicUrl = Optional.empty();

  @Option(
      names = "--approve-page",
      description =
          "Serve the page on which phones answer, at /approve/, and let administrators pair phones"
              + " ('bridle phone --url ADMIN-URL'). For a relay that shares its storage with the"
              + " servers that ask. Who serves the page could sign as whoever uses it, so a relay"
              + " serves none unless asked to.")
  private boolean approvePage;

  @Mixin private HarpStreamOptions streams = new HarpStreamOptions();
  @Mixin private TlsOptions tls = new TlsOptions();

  String adminHost() {
    return ADMIN_HOST;
  }

  int grpcPort() {
    return grpcPort;
  }

  GatewayOptions admin() {
    return GatewayOptions.defaults()
        .withListener(
            on -> on.withAddress(ADMIN_HOST, adminPort).withAllowedHosts(Set.copyOf(allowedHosts)))
        .withServices(approvePage ? WITH_PHONES : SERVICES);
  }

  /**
   * Returns how HARP is served; what is for this machine alone speaks plaintext.
   *
   * @param notices receives messages for the operator
   */
  HarpServing harp(Consumer<String> notices) {
    ListenerOptions own =
        ListenerOptions.defaults()
            .withAddress(host, harpPort)
            .withAllowedOrigins(Set.copyOf(allowedOrigins))
            .withAllowedHosts(Set.copyOf(allowedHosts));
    HarpServing serving =
        streams.at(
            harpPort,
            Optional.of(publicUrl.map(own::withPublicUrl).orElse(own)),
            tls.open(notices));
    return approvePage ? serving : serving.withoutPage();
  }

  /** Returns the addresses and how others are chosen, for the message that one is taken. */
  ServerRun.Ports ports() {
    return new ServerRun.Ports(
        host
            + ", port "
            + harpPort
            + ", or "
            + ADMIN_HOST
            + ", port "
            + adminPort
            + " or "
            + grpcPort
            + ",",
        "--harp-port, --admin-port and --grpc-port");
  }
}
