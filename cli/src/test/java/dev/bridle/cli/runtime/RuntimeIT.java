package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.run.AgentProgram;
import dev.bridle.cli.run.ChoosyAgent;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of agents before they are used. */
final class RuntimeIT {
  @TempDir private Path directory;

  private JsonNode test(int exitCode, String name, String... options) throws IOException {
    Path program = AgentProgram.make(directory, name);
    String[] words = new String[options.length + 6];
    words[0] = "runtime";
    words[1] = "test";
    words[2] = "--json";
    System.arraycopy(options, 0, words, 3, options.length);
    words[options.length + 3] = "--";
    words[options.length + 4] = program.toString();
    words[options.length + 5] = "acp"; // As known programs are started; other ones ignore it.
    return Json.parse(Commands.run(exitCode, words).out());
  }

  @Tag("slow")
  @Test
  void theListSaysHowAgentsAreMadeToAskAndWhatIsNotPromised() {
    String text = Commands.run(0, "runtime", "list").out();
    assertThat(text).contains("opencode: opencode acp (tested with 1.18.33)", "not promised: ");

    JsonNode qwen =
        Commands.run(0, "runtime", "list", "--json")
            .out()
            .lines()
            .map(Json::parse)
            .filter(line -> line.get("name").textValue().equals("qwen"))
            .findFirst()
            .orElseThrow();
    assertThat(qwen.get("asking").textValue()).contains("approval mode");
    assertThat(qwen.get("not_promised")).isNotEmpty();
    assertThat(qwen.get("asking_modes").toString()).isEqualTo("[\"default\",\"plan\"]");
  }

  @Tag("slow")
  @Test
  void anAgentThatIsPromptedAsks() throws IOException {
    JsonNode found = test(0, "agent", "--prompt", "make it");

    assertThat(found.get("name").textValue()).isEqualTo("Scripted");
    assertThat(found.get("made_to_ask").booleanValue()).isFalse();
    assertThat(found.at("/advertised/sessionCapabilities/resume").isObject()).isTrue();
    assertThat(found.at("/asked/0").textValue()).isEqualTo("make it");
    assertThat(found.get("acted_without_permission")).isEmpty();
    assertThat(found.get("not_promised").toString()).contains("replayed from their log");
  }

  @Tag("slow")
  @Test
  void anAgentThatActsWithoutAskingIsFound() throws IOException {
    JsonNode found = test(11, "opencode", "--prompt", "sneak it");

    assertThat(found.get("made_to_ask").booleanValue()).isTrue();
    assertThat(found.at("/acted_without_permission/0").textValue()).isEqualTo("make it");
  }

  @Tag("slow")
  @Test
  void withoutAPromptOnlyTheHandshakeIsTested() throws IOException {
    JsonNode found = test(0, "agent");

    assertThat(found.get("session").booleanValue()).isTrue();
    assertThat(found.has("asked")).isFalse();
  }

  @Test
  void aRuntimeOfAFileIsListedAndTestedAsAServerStartsIt() throws IOException {
    Path program = AgentProgram.make(directory, "agent");
    Path file = directory.resolve("runtimes.json");
    Files.writeString(
        file,
        "{\"runtimes\":{\"coder\":{\"command\":[\"opencode\",\"acp\"],\"personas\":[\"b\",\"a\"],"
            + "\"env\":{\"TOKEN\":\"secret\"}},\"own\":{\"command\":[\""
            + program
            + "\"],\"process\":\"task\"},\"vowed\":{\"command\":[\"vow\"],\"must_ask\":true}}}");

    String listed = Commands.run(0, "runtime", "list", "--runtimes", file.toString()).out();
    assertThat(listed)
        .contains("coder: opencode acp", "personas: a, b", "made to, by the preset opencode")
        .contains("own: ", "process for each: task", "may act without asking")
        .contains("asks: has to, though no preset makes it; acting without fails the task")
        .doesNotContain("secret");
    assertThat(Commands.run(0, "runtime", "list", "--json", "--runtimes", file.toString()).out())
        .contains("\"name\":\"own\"", "\"made_to_ask\":false,\"must_ask\":false")
        .contains("\"made_to_ask\":false,\"must_ask\":true")
        .contains("\"made_to_ask\":true,\"must_ask\":true");

    JsonNode found =
        Json.parse(
            Commands.run(0, "runtime", "test", "--json", "--runtimes", file.toString(), "own")
                .out());
    assertThat(found.get("runtime").textValue()).isEqualTo("own");
    assertThat(found.get("name").textValue()).isEqualTo("Scripted");
    assertThat(Commands.run(2, "runtime", "test", "--runtimes", file.toString(), "other").err())
        .contains("has no runtime 'other'; it has coder, own, vowed");
  }

  private JsonNode testOfFile(int exitCode, Class<?> agent, String prompt) throws IOException {
    Path program = AgentProgram.make(directory, "own", agent);
    Path file = directory.resolve("runtimes.json");
    Files.writeString(file, "{\"runtimes\":{\"own\":{\"command\":[\"" + program + "\"]}}}");
    String[] words = {
      "runtime", "test", "--json", "--runtimes", file.toString(), "--prompt", prompt, "own"
    };
    return Json.parse(Commands.run(exitCode, words).out());
  }

  @Tag("slow")
  @Test
  void aDaemonEndsTheTurnOfATestByBeingIdleAndFindsNoSkills() throws IOException {
    JsonNode found = testOfFile(1, DaemonAgent.class, "skills");

    assertThat(found.get("stop").textValue()).isEqualTo("idle");
    assertThat(found.get("host_tools_listed").intValue()).isZero();
  }

  @Tag("slow")
  @Test
  void aTestListsTheHostsToolsAndRefusesEachCall() throws IOException {
    JsonNode listed = testOfFile(1, BridgeAgent.class, "list");
    assertThat(listed.get("stop").textValue()).isEqualTo("end_turn");
    assertThat(listed.get("host_tools_listed").intValue()).isEqualTo(1);
    assertThat(listed.get("host_tools_called")).isEmpty();

    JsonNode called =
        testOfFile(0, BridgeAgent.class, "call run_command {\"command\":\"echo hi\"}");
    assertThat(called.get("host_tools_called").toString()).isEqualTo("[\"run_command\"]");
    assertThat(called.get("acted_without_permission")).isEmpty();
  }

  @Tag("slow")
  @Test
  void theListHasTheModesAndOptionsThatATestHasFound() throws IOException {
    Path program = AgentProgram.make(directory, "choosy", ChoosyAgent.class);
    Path file = directory.resolve("runtimes.json");
    Files.writeString(file, "{\"runtimes\":{\"own\":{\"command\":[\"" + program + "\"]}}}");
    String homes = directory.resolve("homes").toString();
    String[] list = {
      "runtime", "list", "--json", "--runtimes", file.toString(), "--runtime-homes", homes
    };
    JsonNode before = Json.parse(Commands.run(0, list).out());
    assertThat(before.has("modes")).as("nobody has asked it yet").isFalse();

    Commands.run(
        0, "runtime", "test", "--runtimes", file.toString(), "--runtime-homes", homes, "own");

    JsonNode after = Json.parse(Commands.run(0, list).out());
    assertThat(after.at("/modes/1/id").textValue()).isEqualTo("plan");
    assertThat(after.at("/options/0/values/1/id").textValue()).isEqualTo("small");
    Files.writeString(directory.resolve("homes/own.offers.json"), "no JSON");
    assertThat(Json.parse(Commands.run(0, list).out()).has("modes")).isFalse();
  }

  @Test
  void aProgramThatIsNoAgentCannotBeStarted() {
    assertThat(Commands.run(10, "runtime", "test", "--", "/none/there").err())
        .contains("can't be started");
  }
}
