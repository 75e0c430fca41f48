package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.tls.CertificateFileException;
import dev.bridle.cli.tls.Trust;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/** The option that says which servers are trusted. */
public final class CaChoice {
  @Option(
      names = "--ca-cert",
      paramLabel = "FILE",
      description =
          "A PEM file of the CA of the server's certificate, besides those that Java knows (or"
              + " BRIDLE_CA_CERT).",
      defaultValue = "${env:BRIDLE_CA_CERT}")
  private Optional<Path> caCertificate = Optional.empty();

  /** Creates the option with its default; picocli sets it. */
  public CaChoice() {}

  /** Returns which servers are trusted; if absent, those that Java trusts. */
  public Optional<SSLContext> trust() {
    if (caCertificate.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Trust.ofCa(caCertificate.get()));
    } catch (CertificateFileException e) {
      throw new CommandFailed(ExitCodes.USAGE, e.getMessage(), e);
    }
  }
}
