package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.CaChoice;
import dev.bridle.cli.rest.KeyChoice;
import dev.bridle.cli.rest.RestClient;
import java.net.URI;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that select a HARP relay and the API key for it. */
final class RelayChoice {
  @Option(
      names = "--relay",
      paramLabel = "URL",
      description = "The relay's URL, such as http://127.0.0.1:8085 (or BRIDLE_HARP_URL).",
      defaultValue = "${env:BRIDLE_HARP_URL}")
  private Optional<URI> url = Optional.empty();

  @Mixin private CaChoice ca = new CaChoice();
  @Mixin private KeyChoice key = new KeyChoice();

  /** Returns whether a relay is named. */
  boolean isNamed() {
    return url.isPresent();
  }

  /** Returns a client of the relay. */
  RelayClient connect() {
    URI relay =
        url.orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.USAGE,
                    "No relay is named. Set one with --relay or BRIDLE_HARP_URL."));
    if (relay.getScheme() == null
        || !relay.getScheme().startsWith("http")
        || relay.getHost() == null) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--relay is '" + relay + "', expected http://HOST:PORT or https://HOST");
    }
    return new RelayClient(new RestClient(relay, key.read(), notice -> {}, ca.trust()));
  }
}
