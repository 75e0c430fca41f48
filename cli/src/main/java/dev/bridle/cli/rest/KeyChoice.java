package dev.bridle.cli.rest;

import dev.bridle.cli.console.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options that select the API key of a command. */
public final class KeyChoice {

  @Option(
      names = "--api-key",
      paramLabel = "KEY",
      description =
          "The API key (or BRIDLE_API_KEY, which is not visible to other users in the list"
              + " of processes).")
  private Optional<String> apiKey = Optional.empty();

  @Option(
      names = "--api-key-file",
      paramLabel = "FILE",
      description = "A file that contains the API key (or BRIDLE_API_KEY_FILE).")
  private Optional<Path> apiKeyFile = Optional.empty();

  /** Creates the options with their defaults; picocli sets them. */
  public KeyChoice() {}

  /** Returns the API key that an option or a variable names. */
  public Optional<String> find() {
    return apiKey
        .or(() -> apiKeyFile.map(KeyChoice::ofFile))
        .or(() -> variable("BRIDLE_API_KEY"))
        .or(() -> variable("BRIDLE_API_KEY_FILE").map(Path::of).map(KeyChoice::ofFile));
  }

  /** Returns the API key. */
  public String read() {
    return find()
        .orElseThrow(
            () ->
                new MissingKey(
                    "No API key is set. Set one with --api-key-file, --api-key or"
                        + " BRIDLE_API_KEY; 'bridle apikey create' creates one."));
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
  }

  /** Returns the API key that a file has. */
  public static String ofFile(Path file) {
    try {
      return PrivateFile.read(file);
    } catch (IOException e) {
      throw new MissingKey("The API key file " + file + " can't be read: " + e.getMessage(), e);
    }
  }
}
