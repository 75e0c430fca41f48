package dev.bridle.cli.replay;

import dev.bridle.cli.rest.ServerChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a replay reads, and which options it has no use for. */
enum ReplaySource {
  /** A file, or stdin. */
  FILE,

  /** A task on a server. */
  TASK,

  /** The tasks of a session on a server. */
  SESSION;

  private static final String TASK_PREFIX = "task_";
  private static final String SESSION_PREFIX = "session_";

  /** Returns what an argument names: a file that is there comes before the id of a task. */
  static ReplaySource of(Path given) {
    String name = given.toString();
    if (Files.exists(given) && !Files.isDirectory(given)) {
      return FILE;
    }
    if (name.startsWith(TASK_PREFIX)) {
      return TASK;
    }
    return name.startsWith(SESSION_PREFIX) ? SESSION : FILE;
  }

  /** Returns the names of the options that mean nothing here. */
  List<String> refused() {
    return switch (this) {
      case FILE ->
          Stream.concat(
                  ServerChoice.NAMES.stream(),
                  Stream.of("--depth", "--override", "--refresh", "--from-checkpoint", "--diff"))
              .toList();
      case TASK -> List.of("--keys", "--require-complete", "--accept-unproven");
      case SESSION ->
          List.of(
              "--keys",
              "--require-complete",
              "--accept-unproven",
              "--output",
              "--override",
              "--refresh",
              "--from-checkpoint",
              "--diff");
    };
  }

  /** Returns the reason, as the rest of a sentence that begins with such an option. */
  String why() {
    return switch (this) {
      case FILE -> "is for a task or session on a server, but a file is replayed without one.";
      case TASK -> "is for a file only. Write one with 'bridle replay record'.";
      case SESSION -> "is not for a session. Replay its tasks one by one, or as files.";
    };
  }
}
