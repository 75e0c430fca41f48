package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bridle.cli.process.BuiltBridle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Agents that we did not make, with a model that follows a script, under {@code bridle run}. What a
 * project's own settings allow or start does not count.
 */
@Tag("slow")
final class ForeignAgentsIT {
  private static final Map<String, List<String>> COMMANDS =
      Map.of("opencode", List.of("acp"), "qwen", List.of("--acp"));

  @TempDir private static Path shared;

  @TempDir private Path directory;
  private Path folder;
  private ScriptedModel model;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    Optional<String> missing =
        AtTerminal.missing().isEmpty()
            ? ForeignAgents.missing()
            : Optional.of(AtTerminal.missing());
    missing.ifPresent(why -> System.out.println("Skipped: agents of others: " + why));
    assumeTrue(missing.isEmpty(), missing::toString);
    folder = Files.createDirectories(directory.resolve("project")).toRealPath();
    Files.createDirectories(directory.resolve("home"));
    model = new ScriptedModel("echo made > made.txt");
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(data());
  }

  @AfterEach
  void stop() {
    if (model != null) {
      model.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"opencode", "qwen"})
  void itActsWhenItIsAllowedAndNotWhenItIsRefused(String agent) throws Exception {
    try (AtTerminal terminal = run(agent, "--prompt", "Make the file.")) {
      terminal.expect("command: echo made > made.txt");
      terminal.expect("details > ");
      terminal.type("n\n");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(12);
    }
    assertThat(folder.resolve("made.txt")).doesNotExist();

    try (AtTerminal terminal = run(agent, "--prompt", "Make the file.")) {
      terminal.expect("goes on");
      terminal.expect("details > ");
      terminal.type("y\n");
      terminal.expect(ScriptedModel.LAST_WORDS);
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
    assertThat(folder.resolve("made.txt")).hasContent("made");
  }

  @ParameterizedTest
  @CsvSource({
    "opencode,scripted/other,other",
    "qwen,$runtime|openai|scripted(openai),scripted",
  })
  void itAsksTheModelThatWasChosen(String agent, String option, String name) throws Exception {
    try (AtTerminal terminal =
        run(
            agent,
            "--approve",
            "deny",
            "--mode",
            "plan",
            "--option",
            "model=" + option,
            "--prompt",
            "Say it.")) {
      // In its mode for plans an agent asks, and is denied, or does not act.
      assertThat(terminal.exit()).as("%s", terminal.all()).isIn(0, 12);
    }
    assertThat(model.asked()).contains(name);
  }

  @ParameterizedTest
  @CsvSource({"opencode,build,opencode-login", "qwen,default,openai"})
  void whatItDoesNotOfferFailsWithWhatItOffers(String agent, String mode, String login)
      throws Exception {
    try (AtTerminal terminal =
        run(agent, "--approve", "deny", "--option", "speed=9", "--prompt", "Say it.")) {
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(10);
      assertThat(terminal.all()).contains("agent_setting", "no option 'speed'");
    }
    try (AtTerminal terminal =
        run(agent, "--approve", "deny", "--login", "magic", "--prompt", "Say it.")) {
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(10);
      assertThat(terminal.all()).contains("agent_login", "'" + login + "'");
    }
    try (AtTerminal terminal =
        run(agent, "--approve", "deny", "--mode", "yolo", "--prompt", "Say it.")) {
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(2);
      assertThat(terminal.all()).contains(mode);
    }
    assertThat(model.asked()).as("no prompt was sent").isEmpty();
  }

  /** ACP's answer to a request for permission has no member for a reason. */
  @ParameterizedTest
  @ValueSource(strings = {"opencode", "qwen"})
  void theReasonOfARefusalReachesTheModel(String agent) throws Exception {
    try (AtTerminal terminal = run(agent, "--prompt", "Make the file.")) {
      terminal.expect("details > ");
      terminal.type("n only in the folder named tmp\n");
      terminal.expect("details > "); // The model of the script tries again.
      assertThat(model.said("user"))
          .as("%s", terminal.all())
          .anySatisfy(
              prompt ->
                  assertThat(prompt)
                      .contains("echo made > made.txt")
                      .contains("The user's reason: only in the folder named tmp"));
      terminal.type("n\n");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(12);
    }
    assertThat(folder.resolve("made.txt")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"opencode", "qwen"})
  void itStopsWhenItIsInterruptedWhileItAsks(String agent) throws Exception {
    try (AtTerminal terminal = run(agent, "--prompt", "Make the file.")) {
      terminal.expect("details > ");
      terminal.type("\u0003");
      terminal.expect("canceled");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(130);
    }
    assertThat(folder.resolve("made.txt")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"opencode", "qwen"})
  void settingsOfTheProjectNeitherAllowNorStartAnything(String agent) throws Exception {
    HostileSettings.plant(folder);

    try (AtTerminal terminal = run(agent, "--approve", "deny", "--prompt", "Make the file.")) {
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(12);
    }

    HostileSettings.assertNothingElseIn(folder);
  }

  private static Path data() {
    return shared.resolve("data");
  }

  private AtTerminal run(String agent, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("run", "--dir", folder.toString()));
    words.addAll(List.of("--data-dir", data().toString()));
    words.addAll(List.of(more));
    words.addAll(List.of("--", ForeignAgents.program(agent)));
    words.addAll(COMMANDS.get(agent));
    return AtTerminal.start(BuiltBridle.java().bridle(words), variables());
  }

  private Map<String, String> variables() {
    Map<String, String> variables = new HashMap<>(model.variables());
    variables.put("HOME", directory.resolve("home").toString());
    return variables;
  }
}
