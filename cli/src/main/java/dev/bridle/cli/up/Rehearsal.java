package dev.bridle.cli.up;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Runs one task through a server in this process, on temporary data. The `bridle` script does this
 * once after a build, so that Java can archive the classes that it takes, which later starts share.
 */
public final class Rehearsal {
  private Rehearsal() {}

  /** Runs it. */
  public static void main(String[] args) throws IOException {
    Bridle.commandLine().setOut(new PrintWriter(Writer.nullWriter())).execute("help", "up");
    Path directory = Files.createTempDirectory("bridle-rehearsal-");
    try {
      try (LocalServer server = LocalServer.start(LocalServerOptions.of(directory))) {
        play(new RestClient(server.baseUrl(), server.firstKey().orElseThrow()));
      }
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void play(RestClient client) {
    String session =
        client
            .post("/v1/sessions", JsonLines.object().put("workspace_id", "default"), "session")
            .path("id")
            .asText();
    ObjectNode body = JsonLines.object();
    body.putObject("input").put("text", "one two one");
    String task =
        client.post("/v1/sessions/" + session + "/tasks", body, "task").path("id").asText();
    new ResumingStream(client, "/v1/tasks/" + task + "/stream", notice -> {})
        .readWhile(event -> !event.endsTask());
  }
}
