package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions of an agent that are not answered at its terminal, or not in time. */
@Tag("slow")
final class AnswerElsewhereIT {
  @TempDir private static Path directory;
  private ScriptedProject project;

  @BeforeEach
  void make() throws IOException {
    project = ScriptedProject.in(Files.createTempDirectory(directory, "at"), data());
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(data());
  }

  private static Path data() {
    return directory.resolve("data");
  }

  @Test
  void thePrintedCommandAnswersAndTheTerminalSaysWho() throws Exception {
    try (AtTerminal terminal =
        project.atTerminal("--approve", "elsewhere", "--prompt", "make it")) {
      terminal.expect("command: touch it");
      terminal.expect("only this machine can answer");
      ScriptedProject.runShown(terminal, "permission approve");
      terminal.expect("approved by owner, once");
      terminal.expect("│ made it");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
    assertThat(project.folder().resolve("it")).exists();
  }

  @Test
  void aLocalQuestionIsWithdrawnOnceSomebodyElseHasAnswered() throws Exception {
    try (AtTerminal terminal = project.atTerminal("--prompt", "make it")) {
      terminal.expect("details > ");
      String data = project.data().toString();
      Path key = directory.resolve("ada.key");
      Commands.run(
          0,
          "apikey",
          "create",
          "--data-dir",
          data,
          "--actor",
          "ada",
          "--api-key-file",
          key.toString());
      deny(key);
      terminal.expect("denied by ada, with the reason: not today");
      terminal.expect("│ not made");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(12);
    }
    assertThat(project.folder().resolve("it")).doesNotExist();
  }

  private void deny(Path key) throws IOException {
    ServerFile server = project.server();
    String[] reached = {"--url", server.httpUrl(), "--api-key-file", key.toString()};
    String listed =
        Commands.run(0, words(reached, "permission", "list", "--pending", "--json")).out();
    String id = Json.parse(listed.lines().findFirst().orElseThrow()).get("id").textValue();
    Commands.run(0, words(reached, "permission", "deny", id, "--reason", "not today"));
  }

  private static String[] words(String[] last, String... first) {
    return Stream.concat(Stream.of(first), Stream.of(last)).toArray(String[]::new);
  }

  @Test
  void withoutWaitingTheTaskIsLeftWithItsQuestion() {
    Commands.Said said =
        project.run(5, "--approve", "elsewhere", "--no-wait", "--prompt", "make it");
    assertThat(said.out()).contains("command: touch it", "the task waits for the answer");

    assertThat(project.run(12, "--approve", "deny", "--prompt", "say next").out())
        .contains("the last task goes on", "│ not made", "│ say next");
  }

  @Test
  void aQuestionThatIsOpenWhenTheTimeIsUpIsLeftForTheNextStart() {
    var unused = project.run(5, "--no-wait", "--prompt", "make it");

    Commands.Said waited =
        project.run(5, "--approve", "elsewhere", "--timeout", "3s", "--prompt", "");
    assertThat(waited.out()).contains("the last task goes on", "the task waits for the answer");
    unused = project.run(5, "--approve", "elsewhere", "--timeout", "1ms", "--prompt", "");

    assertThat(project.run(12, "--approve", "deny", "--prompt", "say next").out())
        .contains("the last task goes on", "│ not made", "│ say next");
  }

  @Test
  void aFormIsDeclinedByThePrintedCommand() throws Exception {
    try (AtTerminal terminal = project.atTerminal("--approve", "elsewhere", "--prompt", "form")) {
      terminal.expect("Who are you?");
      terminal.expect("decline it at another terminal");
      terminal.expect("only this machine can answer");
      ScriptedProject.runShown(terminal, "task answer");
      terminal.expect("│ got {\"action\":\"decline\"}");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
  }

  @Test
  void withoutWaitingAFormIsLeftForTheNextStart() {
    assertThat(project.run(5, "--no-wait", "--prompt", "form").out())
        .contains("Who are you?", "bridle task answer task_", "the task waits for the answer");

    assertThat(project.run(0, "--approve", "deny", "--prompt", "").out())
        .contains("the last task goes on", "│ got {\"action\":\"decline\"}");
  }

  @Test
  void aTaskThatWorksIsCanceledWhenTheTimeIsUp() {
    Commands.Said said =
        project.run(4, "--approve", "deny", "--timeout", "10s", "--prompt", "wait");

    // On a very busy machine the time is up before there is a task.
    assertThat(said.out()).contains("the time is up");
    assertThat(said.out() + said.err()).containsAnyOf("canceled", "before the prompt was given");
  }

  @Test
  void optionsThatContradictOneAnotherAreRefused() {
    assertThat(project.run(2, "--approve", "deny", "--no-wait", "--prompt", "x").err())
        .contains("--no-wait has no meaning");
  }
}
