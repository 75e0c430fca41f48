package dev.bridle.cli.up;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.work.oauth.external.ExternalIssuer;
import dev.bridle.core.work.oauth.external.IssuerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for access tokens. */
final class TokenOptions {

  @Option(
      names = "--token-lifetime",
      paramLabel = "TIME",
      description =
          "The lifetime of an OAuth access token, at most 24h (default: ${DEFAULT-VALUE}).",
      defaultValue = "1h")
  private Duration tokenLifetime = Duration.ofHours(1);

  @Option(
      names = "--oauth-issuers",
      paramLabel = "FILE",
      description =
          "A JSON file of external issuers whose tokens are accepted, with their keys and how their"
              + " claims are mapped (docs/authentication.md).")
  private Optional<Path> issuers = Optional.empty();

  AccessOptions access() {
    AccessOptions own = AccessOptions.NONE.withTokenLifetime(tokenLifetime);
    return issuers.map(file -> own.withIssuers(read(file))).orElse(own);
  }

  private static List<ExternalIssuer> read(Path file) {
    try {
      Path absolute = file.toAbsolutePath();
      return IssuerFile.parse(Files.readString(absolute), absolute.getParent());
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The issuers file " + file + ": " + e.getMessage() + ".", e);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The issuers file " + file + " can't be read: " + e, e);
    }
  }
}
