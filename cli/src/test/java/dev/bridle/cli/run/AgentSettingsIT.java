package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The login, the mode and the options of an agent under {@code bridle run}. */
@Tag("slow")
final class AgentSettingsIT {
  @TempDir private static Path directory;
  private Path folder;
  private Path agent;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createTempDirectory(directory, "project").toRealPath();
    agent = AgentProgram.make(directory, "choosy", ChoosyAgent.class);
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  private String run(int exitCode, Path program, String... more) {
    List<String> words = new ArrayList<>(List.of("run", "--dir", folder.toString()));
    words.addAll(List.of("--data-dir", directory.resolve("data").toString()));
    words.addAll(List.of("--approve", "deny", "--prompt", "say it"));
    words.addAll(List.of(more));
    // As that program is started; other ones ignore it.
    words.addAll(List.of("--", program.toString(), "--acp"));
    Commands.Said said = Commands.run(exitCode, words.toArray(String[]::new));
    return said.out() + said.err();
  }

  @Test
  void theAgentsSessionHasTheModeAndTheOptionsThatWereChosen() {
    assertThat(
            run(
                0,
                agent,
                "--mode",
                "plan",
                "--option",
                "model=small",
                "--option",
                "web=true",
                "--login",
                "key"))
        .contains("set: {login=key, mode=plan, model=small, web=true}");
    assertThat(run(0, agent)).contains("set: {}");
  }

  @Test
  @Tag("slow")
  void whatTheAgentDoesNotOfferFailsBeforeThePrompt() {
    assertThat(run(10, agent, "--mode", "yolo"))
        .contains("agent_setting", "has no mode 'yolo'. Its modes: ask, plan")
        .doesNotContain("set: ");
    assertThat(run(10, agent, "--option", "model=huge"))
        .contains("agent_setting", "has no 'huge'. Its values: big, small");
    assertThat(run(10, agent, "--option", "size=1"))
        .contains("agent_setting", "has no option 'size'. Its options: model, web");
    assertThat(run(10, agent, "--login", "other"))
        .contains("agent_login", "has no login 'other'. Its logins: 'key' (API key: Set KEY)");
    assertThat(run(2, agent, "--option", "model")).contains("KEY=VALUE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"locked", "locked-later"})
  @Tag("slow")
  void anAgentThatNeedsALoginSaysHowToLogIn(String lock) throws IOException {
    Files.createFile(folder.resolve(lock));

    assertThat(run(10, agent))
        .contains("agent_login", "Its logins: 'key' (API key: Set KEY), 'broken' (Broken)")
        .contains("choose a login with --login METHOD");
    assertThat(run(10, agent, "--login", "broken"))
        .contains("agent_login", "The login 'broken' failed: ", "nobody is at home");
    assertThat(run(0, agent, "--login", "key")).contains("set: {login=key}");
  }

  @Test
  void aModeInWhichAnAgentMayNotAskIsRefusedWhereItIsMadeToAsk() throws IOException {
    Path known = AgentProgram.make(directory, "qwen", ChoosyAgent.class);

    assertThat(run(2, known, "--mode", "yolo"))
        .contains("In the mode 'yolo' it is not certain that qwen asks; choose one of default, pl");
    assertThat(run(2, known, "--option", "mode=auto-edit")).contains("'auto-edit'");
    assertThat(run(0, known, "--mode", "plan")).contains("set: {mode=plan}");
  }

  @Test
  @Tag("slow")
  void aTestOfTheAgentShowsWhatItOffers() throws IOException {
    String text = Commands.run(0, "runtime", "test", "--", agent.toString()).out();
    assertThat(text)
        .contains("logins: key (API key): Set KEY", "modes: ask (Ask), current", "modes: plan (Pl")
        .contains("options: model (Model), current: big, one of: big, small")
        .contains("options: web (Web), current: false, true or false");

    JsonNode found =
        Json.parse(Commands.run(0, "runtime", "test", "--json", "--", agent.toString()).out());
    assertThat(found.at("/logins/0/id").textValue()).isEqualTo("key");
    assertThat(found.at("/modes/0/current").booleanValue()).isTrue();
    assertThat(found.at("/options/0/values/1/id").textValue()).isEqualTo("small");

    JsonNode refused =
        Json.parse(
            Commands.run(10, "runtime", "test", "--json", "--mode", "x", "--", agent.toString())
                .out());
    assertThat(refused.path("failure").textValue()).contains("Its modes: ask, plan");
  }
}
