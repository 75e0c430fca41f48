package dev.bridle.cli.up;

import dev.bridle.cli.tls.ServerCertificate;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Options for the certificate of the server. */
final class TlsOptions {

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "A PEM file of the server's certificate and its chain: what is served at --host then"
              + " speaks TLS; requires --tls-key. Both files are read again when they change.")
  private Optional<Path> tlsCertificate = Optional.empty();

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "A PEM file of the certificate's private key.")
  private Optional<Path> tlsKey = Optional.empty();

  /** Returns the file of the private key, if there is one. */
  List<KeyFiles.KeyFile> keyFiles() {
    return KeyFiles.of("--tls-key", tlsKey);
  }

  /**
   * Opens the certificate, if there is to be one.
   *
   * @param notices receives messages for the operator
   */
  Optional<ServerCertificate> open(Consumer<String> notices) {
    return TlsFiles.open("--tls", tlsCertificate, tlsKey, notices);
  }
}
