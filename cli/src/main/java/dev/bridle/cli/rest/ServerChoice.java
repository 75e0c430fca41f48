package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.PrivateFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options that say which server a command talks to, and as whom. */
public final class ServerChoice {

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server's base URL (default: ${DEFAULT-VALUE}; or BRIDLE_URL).",
      defaultValue = "${env:BRIDLE_URL:-http://127.0.0.1:8080}")
  private URI url = URI.create("http://127.0.0.1:8080");

  @Option(
      names = "--api-key",
      paramLabel = "KEY",
      description =
          "The API key (or BRIDLE_API_KEY, which other users of this machine can't see in the list"
              + " of processes).")
  private Optional<String> apiKey = Optional.empty();

  @Option(
      names = "--api-key-file",
      paramLabel = "FILE",
      description = "A file that holds the API key (or BRIDLE_API_KEY_FILE).")
  private Optional<Path> apiKeyFile = Optional.empty();

  /** Filled by picocli. */
  public ServerChoice() {}

  /** Returns a client of that server. */
  public RestClient connect() {
    if (url.getScheme() == null || !url.getScheme().startsWith("http") || url.getHost() == null) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--url is '" + url + "', expected http://HOST:PORT or https://HOST");
    }
    return new RestClient(url, key());
  }

  private String key() {
    return apiKey
        .or(() -> apiKeyFile.map(ServerChoice::read))
        .or(() -> variable("BRIDLE_API_KEY"))
        .or(() -> variable("BRIDLE_API_KEY_FILE").map(Path::of).map(ServerChoice::read))
        .orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.USAGE,
                    "No API key is given. Name one with --api-key-file, --api-key or"
                        + " BRIDLE_API_KEY; 'bridle apikey create' makes one."));
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
  }

  private static String read(Path file) {
    try {
      return PrivateFile.read(file);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The API key file " + file + " can't be read: " + e.getMessage(), e);
    }
  }
}
