package dev.bridle.cli.admin;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.StoreTrouble;
import io.grpc.Channel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs an action on a data directory: with the server that runs there, or on the directory itself.
 */
public final class ServerOrDirectory {
  private ServerOrDirectory() {}

  /**
   * Runs an action and returns its result.
   *
   * @param running the action with a running server, over a channel that sends the credential
   * @param stopped the action if no server runs
   */
  public static <T> T work(
      Path dataDir, Function<Channel, T> running, StoreTrouble.Work<T> stopped) {
    if (!Files.isDirectory(dataDir)) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "There is no data directory "
              + dataDir
              + ". 'bridle up' creates one; --data-dir selects another.");
    }
    return StoreTrouble.inOneLine(
        dataDir,
        () -> {
          Optional<T> result = new RunningCore(dataDir).with(running);
          return result.isPresent() ? result.get() : stopped.run();
        });
  }
}
