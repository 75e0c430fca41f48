package dev.bridle.cli.up;

import dev.bridle.cli.tls.ServerCertificate;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/**
 * Options for the port of HARP, and for an address and a certificate of its own: devices may reach
 * HARP where REST is for this machine alone.
 */
final class HarpListenOptions {
  @Option(
      names = "--harp-port",
      paramLabel = "N",
      description =
          "The port of the HARP relay for enforcers and approvers; 0: any free one (default: not"
              + " served). Requires --tls-cert or --harp-tls-cert beyond this machine.")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--harp-host",
      paramLabel = "HOST",
      description = "The address at which HARP is served (default: that of --host).")
  private Optional<String> host = Optional.empty();

  @Option(
      names = "--harp-public-url",
      paramLabel = "URL",
      description =
          "The URL at which devices reach HARP, such as that of a reverse proxy (default: the"
              + " listening address).")
  private Optional<URI> publicUrl = Optional.empty();

  @Option(
      names = "--harp-tls-cert",
      paramLabel = "FILE",
      description =
          "A PEM file of the certificate of HARP and its chain; requires --harp-tls-key (default:"
              + " that of --tls-cert).")
  private Optional<Path> certificate = Optional.empty();

  @Option(
      names = "--harp-tls-key",
      paramLabel = "FILE",
      description = "A PEM file of that certificate's private key.")
  private Optional<Path> key = Optional.empty();

  Optional<Integer> port() {
    return port;
  }

  /** Returns the file of the private key, if there is one. */
  List<KeyFiles.KeyFile> keyFiles() {
    return KeyFiles.of("--harp-tls-key", key);
  }

  /** Returns the listener of its own; empty if HARP is served as REST is. */
  Optional<ListenerOptions> listener(ListenerOptions rest) {
    if (host.isEmpty() && publicUrl.isEmpty() && certificate.isEmpty()) {
      return Optional.empty();
    }
    ListenerOptions own =
        rest.withoutPublicUrl().withAddress(host.orElse(rest.host()), port.orElse(0));
    return Optional.of(publicUrl.map(own::withPublicUrl).orElse(own));
  }

  /**
   * Opens the certificate of its own, if there is to be one.
   *
   * @param notices receives messages for the operator
   */
  Optional<ServerCertificate> certificate(Consumer<String> notices) {
    return TlsFiles.open("--harp-tls", certificate, key, notices);
  }

  /** Returns the given options that mean nothing without a port, for an error message. */
  List<String> withoutPort() {
    List<String> given =
        List.of(
            host.map(value -> "--harp-host").orElse(""),
            publicUrl.map(value -> "--harp-public-url").orElse(""),
            certificate.map(value -> "--harp-tls-cert").orElse(""),
            key.map(value -> "--harp-tls-key").orElse(""));
    return port.isPresent() ? List.of() : given.stream().filter(name -> !name.isEmpty()).toList();
  }
}
