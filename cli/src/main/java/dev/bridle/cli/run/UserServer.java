package dev.bridle.cli.run;

import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.admin.UserData;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.KeyChoice;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The user's own server, which {@code bridle run} starts, for commands that read its records. */
public final class UserServer {
  /** As {@code bridle run} has it. */
  private static final Duration END_UNUSED = Duration.ofMinutes(15);

  private UserServer() {}

  /**
   * Returns a client of the server of a data directory, which is started if it does not run.
   *
   * @param data the data directory, if one is named
   * @param environment the environment of this process
   * @param key the API key, if one is named; else that of the directory
   * @param notices receives messages for the user
   */
  public static RestClient client(
      Optional<Path> data,
      Map<String, String> environment,
      Optional<String> key,
      Consumer<String> notices)
      throws IOException, InterruptedException {
    Path named = UserData.directory(data, environment);
    if (!Files.isDirectory(named)) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "There is no data of 'bridle run' in "
              + named
              + ". Name the directory with --data-dir, or a server with --url.");
    }
    Path directory = named.toRealPath();
    ServerFile server =
        new DetachedServer(directory, ServerProgram.ofThisProcess(END_UNUSED, false), notices)
            .find();
    String secret =
        key.orElseGet(() -> KeyChoice.ofFile(directory.resolve(DetachedServer.KEY_FILE)));
    return RestClient.ofKnown(
        URI.create(server.httpUrl()), secret, notices, server.trust(directory));
  }
}
