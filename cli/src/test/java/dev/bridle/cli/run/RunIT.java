package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import dev.bridle.host.process.AgentEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent under {@code bridle run}, in a folder of its own. */
final class RunIT {
  @TempDir private static Path directory;
  private Path folder;
  private Path agent;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createTempDirectory(directory, "project").toRealPath();
    agent = AgentProgram.make(directory, "agent");
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  private List<String> arguments(Path program, String... more) {
    List<String> all = new ArrayList<>(List.of("run", "--dir", folder.toString()));
    all.addAll(List.of("--data-dir", directory.resolve("data").toString()));
    all.addAll(List.of(more));
    all.addAll(List.of("--", program.toString()));
    return all;
  }

  private Commands.Said denying(int exitCode, Path program, String prompt) {
    return Commands.run(
        exitCode,
        arguments(program, "--approve", "deny", "--prompt", prompt).toArray(String[]::new));
  }

  @Test
  void anAgentAnswersAndWhatItAsksForIsDenied() {
    assertThat(denying(0, agent, "say hello").out())
        .contains("the agent is Scripted 1", "│ say hello", "done, with receipt_")
        .contains("it may act WITHOUT asking");

    assertThat(denying(12, agent, "make it").out())
        .contains("│ not made", "all that the agent asked for was denied");
    assertThat(folder.resolve("it")).doesNotExist();
    assertThat(folder.resolve("resumed")).as("the session went on").hasContent("s-1");
  }

  @Test
  @Tag("slow")
  void anotherAgentInTheSameFolderHasASessionOfItsOwn() throws IOException {
    assertThat(denying(0, agent, "say hello").out()).doesNotContain("goes on");
    Path other = AgentProgram.make(Files.createDirectory(directory.resolve("other")), "agent");

    assertThat(denying(0, other, "say hello").out()).doesNotContain("goes on");
    assertThat(denying(0, agent, "say more").out()).contains(", goes on");
  }

  @Test
  @Tag("slow")
  void aSessionThatWasClosedDoesNotGoOn() throws IOException {
    String said = denying(0, agent, "say hello").out();
    Matcher session = Pattern.compile("session_\\w+").matcher(said);
    assertThat(session.find()).isTrue();
    Commands.run(
        0,
        "session",
        "close",
        session.group(),
        "--url",
        ServerFile.read(directory.resolve("data")).orElseThrow().httpUrl(),
        "--api-key-file",
        directory.resolve("data").resolve(DetachedServer.KEY_FILE).toString());

    assertThat(denying(0, agent, "say more").out()).doesNotContain("goes on").contains("say more");
  }

  @Tag("slow")
  @Test
  void thePromptOfAFileIsAnsweredInLinesOfJson() throws IOException {
    Path prompt = Files.writeString(directory.resolve("prompt.md"), "say hello");
    Commands.Said said =
        Commands.run(
            0,
            arguments(agent, "--approve", "deny", "--json", "--file", prompt.toString())
                .toArray(String[]::new));

    List<JsonNode> events = said.out().lines().map(Json::parse).toList();
    assertThat(events)
        .extracting(event -> event.path("event").asText())
        .contains("task.started", "vendor.agent_host.text", "agent.message", "task.completed");
    assertThat(said.err()).contains("the agent is Scripted 1");
  }

  @Tag("slow")
  @Test
  void aTaskIsReplayedFromItsLogAndNotRunAgain() throws IOException {
    String said =
        Commands.run(
                0,
                arguments(agent, "--approve", "deny", "--json", "--prompt", "say hello")
                    .toArray(String[]::new))
            .out();
    String task = Json.parse(said.lines().findFirst().orElseThrow()).get("task_id").textValue();

    assertThat(replay(0, task).out()).contains(task + " replayed: ", "COMPLETED, as its receipt");
    Path answers = Files.writeString(directory.resolve("answers"), "{\"llm:1\":{\"value\":1}}");
    for (List<String> options :
        List.of(
            List.of("--depth", "execute"),
            List.of("--override", answers.toString()),
            List.of("--from-checkpoint", "half"))) {
      assertThat(replay(1, task, options.toArray(String[]::new)).err())
          .as("%s", options)
          .contains("does not declare that it records all that decides on its runs");
    }
    assertThat(folder.resolve("prompts")).as("the agent").hasContent("say hello");
  }

  private Commands.Said replay(int exitCode, String task, String... more) throws IOException {
    Path data = directory.resolve("data");
    List<String> words = new ArrayList<>(List.of("replay", task));
    words.addAll(List.of("--url", ServerFile.read(data).orElseThrow().httpUrl()));
    words.addAll(List.of("--api-key-file", data.resolve(DetachedServer.KEY_FILE).toString()));
    words.addAll(List.of(more));
    return Commands.run(exitCode, words.toArray(String[]::new));
  }

  @Test
  @Tag("slow")
  void aNewSessionIsMadeIfOneIsWanted() {
    assertThat(denying(0, agent, "say hello").out()).doesNotContain("goes on");
    assertThat(denying(0, agent, "say hello").out())
        .containsPattern("session session_\\w+, goes on: begun \\S+ \\S+, last task .*completed")
        .contains("--new begins another", "what happened in it: bridle task list --session ");
    assertThat(
            Commands.run(
                    0,
                    arguments(agent, "--approve", "deny", "--new", "--prompt", "say hello")
                        .toArray(String[]::new))
                .out())
        .doesNotContain("goes on");
  }

  @Tag("slow")
  @Test
  void aVariableReachesTheAgentOnlyIfItIsNamed() {
    Set<String> passed =
        AgentEnvironment.choose(System.getenv(), Set.of(), Map.of()).variables().keySet();
    Optional<String> name =
        System.getenv().keySet().stream()
            .filter(variable -> variable.matches("[A-Z_]+") && !passed.contains(variable))
            .filter(variable -> System.getenv(variable).matches("[\\w/.:-]{1,60}"))
            .findFirst();
    if (name.isEmpty()) {
      System.out.println("Skipped: this process has no variable that is withheld");
    }
    assumeTrue(name.isPresent());
    String prompt = "variable " + name.get();

    assertThat(denying(0, agent, prompt).out()).contains("it is not there");
    assertThat(
            Commands.run(
                    0,
                    arguments(agent, "--approve", "deny", "--env", name.get(), "--prompt", prompt)
                        .toArray(String[]::new))
                .out())
        .contains("it is " + System.getenv(name.get()));
  }

  @Tag("slow")
  @Test
  void anAgentThatIsMadeToAskAndActsWithoutFailsTheTask() throws IOException {
    Path known = AgentProgram.make(directory, "opencode");
    List<String> words =
        new ArrayList<>(arguments(known, "--approve", "deny", "--prompt", "sneak it"));
    words.add("acp");
    Commands.Said said = Commands.run(4, words.toArray(String[]::new));

    assertThat(said.out()).contains("it is made to ask", "acted_without_asking");
  }

  @Test
  @Tag("slow")
  void anAgentThatDiesIsStartedAgainAFewTimes() throws IOException {
    assertThat(denying(4, agent, "die").out()).contains("agent_lost");

    assertThat(Files.readAllLines(folder.resolve("prompts"))).filteredOn("die"::equals).hasSize(4);
  }

  @Test
  @Tag("slow")
  void anAgentThatHasMoreMemoryThanItMayIsEndedAndItsTaskFailsByName() throws IOException {
    // What comes without a line's end, tail keeps.
    Files.writeString(folder.resolve("hog"), "(head -c 700000000 /dev/zero; sleep 100) | tail");
    Commands.Said said =
        Commands.run(
            4,
            arguments(agent, "--approve", "deny", "--memory", "512", "--prompt", "run hog")
                .toArray(String[]::new));

    assertThat(said.out())
        .containsPattern("agent_memory: .*MiB of memory, 512 MiB are allowed")
        .doesNotContain("is started again");
    assertThat(Files.readAllLines(folder.resolve("prompts"))).as("once").containsExactly("run hog");
    assertThat(AgentProgram.left(agent)).isEmpty();
    String[] none =
        arguments(agent, "--approve", "deny", "--memory", "0", "--prompt", "x")
            .toArray(String[]::new);
    assertThat(Commands.run(2, none).err()).contains("--memory is 0");
  }

  @Tag("slow")
  @Test
  void aProgramThatIsNotThereIsNoAgent() {
    assertThat(denying(10, directory.resolve("none"), "say x").out()).contains("agent_start");
  }

  @Test
  void theDataIsNotKeptWhereTheAgentWorks() {
    Commands.Said said =
        Commands.run(
            2,
            "run",
            "--approve",
            "deny",
            "--prompt",
            "x",
            "--dir",
            folder.toString(),
            "--data-dir",
            folder.resolve("data").toString(),
            "--",
            agent.toString());

    assertThat(said.err()).contains("contain one another");
  }

  @Tag("slow")
  @Test
  void atATerminalThePersonAllowsOrRefusesWithAReason() throws Exception {
    try (AtTerminal terminal = atTerminal("--prompt", "make it")) {
      terminal.expect("command: touch it");
      terminal.expect("details > ");
      terminal.type("maybe\n");
      terminal.expect("details > ");
      terminal.type("n use another name\n");
      terminal.expect("│ The user did not allow this action: make it");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(12);
    }
    assertThat(folder.resolve("it")).doesNotExist();
    assertThat(Files.readString(folder.resolve("prompts"))).contains("use another name");

    try (AtTerminal terminal = atTerminal("--prompt", "make it")) {
      terminal.expect("details > ");
      terminal.type("y\n");
      terminal.expect("│ made it");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
    assertThat(folder.resolve("it")).exists();
  }

  @Tag("slow")
  @Test
  void ctrlCStopsTheAgentTruthfully() throws Exception {
    try (AtTerminal terminal = atTerminal("--prompt", "wait")) {
      terminal.expect("│ waiting");
      terminal.type("\u0003");
      terminal.expect("canceled");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(130);
      assertThat(terminal.all()).contains("stopped");
    }
  }

  private AtTerminal atTerminal(String... more) throws IOException {
    String missing = AtTerminal.missing();
    if (!missing.isEmpty()) {
      System.out.println("Skipped: " + missing);
    }
    assumeTrue(missing.isEmpty(), missing);
    return AtTerminal.start(BuiltBridle.java().bridle(arguments(agent, more)));
  }
}
