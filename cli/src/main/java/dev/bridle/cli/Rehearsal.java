package dev.bridle.cli;

import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Runs the common commands against an in-process server on temporary data. The `bridle` script runs
 * this once after a build to create a class data sharing archive, which speeds up later starts.
 */
public final class Rehearsal {
  private Rehearsal() {}

  /** Runs all commands of the rehearsal. */
  public static void main(String[] args) throws IOException {
    Main.main(new String[] {"version"});
    run("help", "up");
    run("persona", "create", "--help");
    Path directory = Files.createTempDirectory("bridle-rehearsal-");
    try {
      try (LocalServer server = LocalServer.start(LocalServerOptions.of(directory))) {
        play(server.baseUrl().toString(), server.firstKey().orElseThrow(), directory.toString());
      }
    } finally {
      delete(directory);
    }
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Runs the most frequent commands, which load the classes that most commands need. */
  private static void play(String url, String key, String directory) {
    String text = "one two one";
    String[] server = {"--url", url, "--api-key", key};
    run(server, "task", "submit", "--text", text, "--watch");
    run(server, "task", "submit", "--json-input", "{\"ask\":\"Which?\"}", "--watch", "--json");
    run(server, "task", "list");
    run(server, "task", "get", "task_none");
    run(server, "session", "list", "--json");
    run(server, "session", "create", "--workspace", "default");
    run(server, "workspace", "list");
    run(server, "workspace", "files", "ls", "default");
    run(server, "permission", "list", "--pending");
    run(server, "grant", "list");
    run(server, "connector", "delivery", "list");
    run(server, "runtime");
    run("apikey", "list", "--data-dir", directory);
    run("tenant", "list", "--data-dir", directory);
    run("task");
    run("version", "--json");
  }

  private static void run(String[] server, String... words) {
    run(Stream.concat(Stream.of(words), Stream.of(server)).toArray(String[]::new));
  }

  /** Runs one command and discards its output and exit code. */
  private static void run(String... words) {
    var unused =
        Bridle.commandLine(words)
            .setOut(new PrintWriter(Writer.nullWriter()))
            .setErr(new PrintWriter(Writer.nullWriter()))
            .execute(words);
  }
}
