package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.rule.DamagedReplayFileException;
import dev.bridle.harp.rule.DecisionRule;
import dev.bridle.harp.rule.ReplayFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The file by which 'bridle harp enforce' accepts each decision once. */
final class UsedDecisions {
  private static final String FILE = "enforced.jsonl";

  private final Path file;

  /**
   * Finds the file. A folder that is named has to exist: an empty one in its place, as of a disk
   * that is not mounted, would forget what was accepted. The default one is created.
   *
   * @param named the file that the command line names
   * @param environment the environment of this process
   */
  UsedDecisions(Optional<Path> named, Map<String, String> environment) {
    this.file = named.orElseGet(() -> byDefault(environment, System.getProperty("os.name", "")));
    if (named.isEmpty()) {
      try {
        createFolder(file.resolveSibling("."));
      } catch (IOException e) {
        throw unusable(e.toString(), e);
      }
    }
  }

  /**
   * Returns the file that is used if none is named.
   *
   * @param system the name of the operating system
   */
  static Path byDefault(Map<String, String> environment, String system) {
    String user = System.getProperty("user.home", "");
    Optional<Path> state =
        system.startsWith("Windows")
            ? folder(environment.getOrDefault("LOCALAPPDATA", ""))
                .or(() -> folder(user, "AppData", "Local"))
            : folder(environment.getOrDefault("XDG_STATE_HOME", ""))
                .or(() -> folder(environment.getOrDefault("HOME", ""), ".local", "state"))
                .or(() -> folder(user, ".local", "state"));
    return state
        .orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.FAILED,
                    "The user has no home folder in which used decisions could be remembered."
                        + " Name a file with --once."))
        .resolve("bridle")
        .resolve(FILE);
  }

  /** Returns a folder, unless it depends on where the command runs: each would have its own. */
  private static Optional<Path> folder(String base, String... below) {
    return Optional.of(Path.of(base))
        .filter(Path::isAbsolute)
        .map(found -> found.resolve(Path.of("", below)));
  }

  /**
   * Accepts a decision, and remembers that on disk.
   *
   * @throws HarpException if a rule does not hold; {@code REPLAY} if this decision, or another one
   *     of its request, was accepted before
   * @throws CommandFailed if the file can't be used
   */
  void accept(Decision decision, DecisionRule rule, DecisionRule.Asked asked) throws HarpException {
    try (ReplayFile used = ReplayFile.open(file)) {
      // The time at which the file is ours: what has expired since may be forgotten already.
      Instant now = Instant.now();
      if (!rule.accept(decision, asked, used, now)) {
        throw new HarpException(
            HarpErrorCode.REPLAY,
            "replay",
            "The decision was used before"
                + used.usedAt(decision).map(at -> ", at " + at).orElse("")
                + ". It counts for one action; ask again, with a new artifact.");
      }
      used.add(decision, now, DecisionRule.SKEW);
    } catch (DamagedReplayFileException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The record of used decisions "
              + file
              + " is damaged: "
              + e.getMessage()
              + ". Nothing may be done, since it can't show whether this decision was used before."
              + " Move the file away once all decisions of before have expired, or sooner if none"
              + " of them can be presented again.",
          e);
    } catch (IOException e) {
      throw unusable(e.toString(), e);
    }
  }

  private CommandFailed unusable(String reason, IOException e) {
    return new CommandFailed(
        ExitCodes.FAILED,
        "The record of used decisions "
            + file
            + " can't be used: "
            + reason
            + ". Nothing may be done without it. Name a file in a folder that you can write, with"
            + " --once.",
        e);
  }

  /** Creates a folder for its owner only, with its name on disk before anything is in it. */
  private static void createFolder(Path folder) throws IOException {
    Path whole = folder.toAbsolutePath().normalize();
    List<Path> missing = new ArrayList<>();
    for (Path at = whole; at != null && Files.notExists(at); at = at.getParent()) {
      missing.add(at);
    }
    boolean posix = whole.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] ownerOnly =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
            }
            : new FileAttribute<?>[0];
    Files.createDirectories(whole, ownerOnly);
    for (Path made : missing) {
      if (posix) {
        try (FileChannel names =
            FileChannel.open(made.resolveSibling("."), StandardOpenOption.READ)) {
          names.force(true);
        }
      }
    }
  }
}
