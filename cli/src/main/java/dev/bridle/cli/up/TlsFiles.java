package dev.bridle.cli.up;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.tls.CertificateFileException;
import dev.bridle.cli.tls.ServerCertificate;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens the files of a certificate that two options name. */
final class TlsFiles {
  private TlsFiles() {}

  /**
   * Opens a certificate, if there is to be one.
   *
   * @param option what both options' names begin with, such as {@code --tls}
   * @param notices receives messages for the operator
   */
  static Optional<ServerCertificate> open(
      String option, Optional<Path> certificate, Optional<Path> key, Consumer<String> notices) {
    if (certificate.isPresent() != key.isPresent()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          option + "-cert and " + option + "-key belong together: one of them is missing.");
    }
    if (certificate.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(ServerCertificate.open(certificate.get(), key.get(), notices));
    } catch (CertificateFileException e) {
      throw new CommandFailed(ExitCodes.USAGE, e.getMessage(), e);
    }
  }
}
