package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import dev.bridle.sampling.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Agents that we did not make ask about a command and an edit of a scripted model. What they say,
 * and what the question shows of it, is as it was recorded in {@code fixtures/agents/requests}.
 */
@Tag("slow")
final class AgentRequestsIT {
  private static final String COMMAND = "echo made > made.txt";
  private static final Sample AGENTS = Sample.of("agents");

  @TempDir private static Path shared;

  @TempDir private Path directory;
  private Path folder;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createDirectories(directory.resolve("project")).toRealPath();
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(data());
  }

  static List<LedAgent> agents() {
    return AGENTS.among(List.of(LedAgent.values()), LedAgent::name);
  }

  @ParameterizedTest
  @MethodSource("agents")
  void itAsksAboutACommandAsRecorded(LedAgent agent) throws Exception {
    assertAsksAsRecorded(agent, "command", agent.script(COMMAND), COMMAND);
  }

  @ParameterizedTest
  @MethodSource("agents")
  void itAsksAboutAnEditAsRecorded(LedAgent agent) throws Exception {
    Path file = folder.resolve("made.txt");
    assertAsksAsRecorded(agent, "edit", ModelScript.write(file, "made\n"), "made.txt");
  }

  private void assertAsksAsRecorded(LedAgent agent, String action, ModelScript script, String shown)
      throws Exception {
    LedRun.assumeThere(agent);
    Made made = make(agent, directory, script, shown);
    if (agent == LedAgent.CODEX_ZED && action.equals("command") && !made.isThere()) {
      // Seen on a busy machine: its turn ends, and the command has not run. What it said is
      // printed,
      // for whoever finds out why.
      System.out.println("Once more, since " + agent.id() + " has made nothing: " + made.frames());
      folder = Files.createDirectories(directory.resolve("again/project")).toRealPath();
      made = make(agent, directory.resolve("again"), script, shown);
    }
    assertThat(made.isThere()).as("%s", made.frames()).isTrue();
    assertThat(folder.resolve("made.txt")).hasContent("made");
    ObjectNode found = JsonNodeFactory.instance.objectNode();
    found.set("question", made.question());
    found.set("frames", RequestShape.of(made.frames()));
    if (Boolean.getBoolean(RecordedRequests.RECORD)) {
      RecordedRequests.write(agent, action, found);
    }
    JsonNode expected =
        RecordedRequests.read(agent)
            .map(file -> file.path(action))
            .orElseGet(JsonNodeFactory.instance::objectNode);
    assertThat(found.toPrettyString())
        .as(
            "%s %s asks otherwise than was recorded in fixtures/agents/requests/%s.json. If that is"
                + " right, record it with -D%s=true, and see what the question shows now",
            agent.id(), agent.version(), agent.id(), RecordedRequests.RECORD)
        .isEqualTo(expected.toPrettyString());
  }

  /** What came of a run. */
  private record Made(ObjectNode question, List<RecordedAgent.Frame> frames, boolean isThere) {}

  private Made make(LedAgent agent, Path in, ModelScript script, String shown) throws Exception {
    try (LedRun run = LedRun.start(agent, in, data(), script)) {
      ObjectNode question = allowOnce(run, shown);
      return new Made(question, run.agent().frames(), Files.exists(folder.resolve("made.txt")));
    }
  }

  /** Returns what the question has. */
  private static ObjectNode allowOnce(LedRun run, String shown) throws Exception {
    AtTerminal terminal = run.terminal();
    String asked = terminal.until("details > ");
    ObjectNode question = question();
    terminal.type("y\n");
    terminal.expect(ScriptedModel.LAST_WORDS);
    assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    assertThat(asked).contains(shown).contains("made");
    return question;
  }

  /** Returns the names of what the open question shows. */
  private static ObjectNode question() throws IOException {
    String listed =
        Commands.run(
                0,
                "permission",
                "list",
                "--pending",
                "--json",
                "--url",
                ServerFile.read(data()).orElseThrow().httpUrl(),
                "--api-key-file",
                data().resolve("api.key").toString())
            .out();
    JsonNode request = Json.parse(listed.lines().findFirst().orElseThrow());
    JsonNode asked = request.path("action");
    ObjectNode question = JsonNodeFactory.instance.objectNode();
    question.put("exact", !asked.has("not_exact"));
    question.set("shows", RequestShape.names(asked.path("content"), List.of()));
    question.set("says", RequestShape.names(asked.path("said"), List.of()));
    return question;
  }

  private static Path data() {
    return shared.resolve("data");
  }
}
