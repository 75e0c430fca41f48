package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.task.HostEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A session that goes on with an agent that repeats its history. */
@Tag("slow")
final class RepeatedHistoryIT {
  @TempDir private Path directory;

  @AfterEach
  void stopServer() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  /** Each task has a host and an agent of its own, as after a crash. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 99})
  void nothingIsRecordedTwiceHoweverManyUpdatesComeBeforeThePrompt(int before) throws Exception {
    Path folder = Files.createDirectory(directory.resolve("project")).toRealPath();
    Files.writeString(folder.resolve("before"), String.valueOf(before));
    Path agent = AgentProgram.make(directory, "agent", RepeatingAgent.class);

    for (int turn = 1; turn <= 3; turn++) {
      String prompt = "go step " + turn;
      try (HostedFolder hosted = new HostedFolder(folder, directory.resolve("data"), agent)) {
        String task = hosted.submit(hosted.session(), prompt);
        hosted.approveToTheEnd(task);
        assertThat(hosted.status(task)).isEqualTo("COMPLETED");

        List<JsonNode> events = new ArrayList<>();
        hosted.client().rows("/v1/tasks/" + task + "/events", Integer.MAX_VALUE, events::add);
        assertThat(of(events, HostEvents.OPENED))
            .extracting(event -> event.at("/payload/how").asText())
            .containsExactly(turn == 1 ? "new" : "loaded");
        assertThat(of(events, "agent.tool_use")).as("calls of turn %d", turn).hasSize(1);
        assertThat(of(events, HostEvents.TOOL_RESULT)).as("results of turn %d", turn).hasSize(1);
        String said =
            String.join(
                "",
                of(events, HostEvents.TEXT).stream()
                    .map(event -> event.at("/payload/text").asText())
                    .toList());
        assertThat(said).isEqualTo("I am going to " + prompt + ".That is done.");
      }
    }
    assertThat(Files.readAllLines(folder.resolve("history"))).as("three turns").hasSize(15);
  }

  private static List<JsonNode> of(List<JsonNode> events, String kind) {
    return events.stream().filter(event -> event.path("event").asText().equals(kind)).toList();
  }
}
