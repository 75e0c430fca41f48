package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.CaChoice;
import dev.bridle.cli.rest.KeyChoice;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.tls.ServerPin;
import dev.bridle.proof.hash.Sha256;
import java.io.IOException;
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
    return new RelayClient(new RestClient(url(), key.read(), notice -> {}, ca.trust()));
  }

  /** Returns the API key, or the device's token. */
  String key() {
    return key.read();
  }

  /** Returns a client of the relay that has no key, as a device that is not paired yet. */
  RelayClient connectWithoutKey() {
    return new RelayClient(new RestClient(url(), "", notice -> {}, ca.trust()));
  }

  /** Returns the relay's URL without a slash at its end. */
  URI url() {
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
    return URI.create(relay.toString().replaceAll("/+$", ""));
  }

  /** Returns the relay's public key, by which devices recognize it; empty for one without TLS. */
  Optional<Sha256> pin() {
    URI relay = url();
    if (!relay.getScheme().equals("https")) {
      return Optional.empty();
    }
    try {
      return Optional.of(ServerPin.of(relay, ca.trust()));
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.UNREACHABLE, "The relay's certificate can't be read: " + e.getMessage(), e);
    }
  }
}
