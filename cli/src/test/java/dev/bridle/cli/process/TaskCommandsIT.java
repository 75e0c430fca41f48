package dev.bridle.cli.process;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.fixtures.client.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code bridle task} commands beside a server. */
final class TaskCommandsIT {
  @TempDir private Path directory;

  @Test
  void aTaskIsSubmittedWatchedShownAndListedFromTheCommandLine() {
    Commands commands = new Commands(directory);
    try (UpThread server = commands.start("data", SuiteEngine.engine(directory.resolve("data")))) {
      List<String> at = commands.at(server.url(), "data");
      List<JsonNode> lines =
          task(0, at, "submit", "--text", "one two one", "--watch")
              .lines()
              .map(Json::parse)
              .toList();
      String id = lines.get(0).get("id").textValue();
      assertThat(lines.get(lines.size() - 1).get("status").textValue()).isEqualTo("SUCCEEDED");
      assertThat(Json.parse(task(0, at, "get", id)).get("status").textValue())
          .isEqualTo("COMPLETED");
      assertThat(task(0, at, "list")).contains(id);
      assertThat(task(1, at, "cancel", id)).isEmpty();
      assertThat(task(5, at, "submit", "--json-input", "{\"ask\":\"Which?\"}", "--watch"))
          .contains("task.input_required");
      assertThat(task(4, at, "submit", "--json-input", "{}", "--watch")).contains("task.failed");
    }
  }

  @Test
  void aTaskThatReachesNoServerOrHasNoInputIsRefused() {
    assertThat(run(3, "task", "list", "--url", "http://127.0.0.1:1", "--api-key", "k").out())
        .isEmpty();
    assertThat(run(2, "task", "submit", "--api-key", "k").out()).isEmpty();
  }

  private static String task(int exitCode, List<String> at, String... arguments) {
    List<String> all = new ArrayList<>(List.of("task"));
    all.addAll(List.of(arguments));
    all.add("--json");
    all.addAll(at);
    return run(exitCode, all.toArray(String[]::new)).out();
  }
}
