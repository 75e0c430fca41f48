package dev.bridle.cli.up;

import dev.bridle.core.server.AccessOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options about access tokens. */
final class TokenOptions {

  @Option(
      names = "--token-lifetime",
      paramLabel = "TIME",
      description =
          "For how long an OAuth access token is good; at most 24h (default: ${DEFAULT-VALUE}).",
      defaultValue = "1h")
  private Duration tokenLifetime = Duration.ofHours(1);

  AccessOptions access() {
    return AccessOptions.NONE.withTokenLifetime(tokenLifetime);
  }
}
