package dev.bridle.cli.run;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.Timeouts;
import dev.bridle.storage.embedded.DirectoryLock;
import dev.bridle.storage.embedded.OpenRefusedException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Locks below {@code hosts} in the data directory, which end with their process: one for each
 * folder in which an agent works, and one for who starts the server.
 */
final class HostLocks {
  private static final String START = "start";
  private static final Duration PROBED = Duration.ofSeconds(1);
  private static final long PAUSE_MILLIS = 50;

  private HostLocks() {}

  /** Locks a folder. Two agents in one would undo one another's work. */
  static DirectoryLock ofFolder(RunFolder place) throws IOException, InterruptedException {
    Path directory = made(place.data(), "folder-" + place.name());
    return take(
        directory,
        PROBED,
        "Another 'bridle run' works in "
            + place.folder()
            + ". End that one first, or work in a copy of the folder, such as a git worktree.");
  }

  /** Waits until no other process starts the server, and locks them out. */
  static DirectoryLock ofStart(Path data) throws IOException, InterruptedException {
    return take(
        made(data, START),
        Timeouts.SERVER_START,
        "Another process has been starting the server on " + data + " for long; end that one.");
  }

  /** Returns whether agents of other processes work somewhere. */
  static boolean othersAreHeld(Path data) throws IOException {
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(data.resolve("hosts"), "folder-*")) {
      for (Path folder : folders) {
        try {
          DirectoryLock.take(folder).close();
        } catch (OpenRefusedException e) {
          if (!isOwn(e)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean isOwn(OpenRefusedException refused) {
    return refused.getMessage().contains("(process " + ProcessHandle.current().pid() + ")");
  }

  private static Path made(Path data, String name) throws IOException {
    return Files.createDirectories(data.resolve("hosts").resolve(name));
  }

  private static DirectoryLock take(Path directory, Duration patience, String refusal)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return DirectoryLock.take(directory);
      } catch (OpenRefusedException e) {
        if (System.nanoTime() > until) {
          throw new CommandFailed(ExitCodes.FAILED, refusal, e);
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }
}
