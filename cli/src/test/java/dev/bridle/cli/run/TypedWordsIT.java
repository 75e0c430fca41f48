package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person types while the agent works. */
@Tag("slow")
final class TypedWordsIT {
  private static final String NAME = ScriptedAgent.class.getName();

  @TempDir private static Path directory;
  private ScriptedProject project;

  @BeforeEach
  void make() throws IOException {
    Path place = Files.createTempDirectory(directory, "here");
    project = ScriptedProject.in(place, directory.resolve("data"));
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  private List<String> prompts() throws IOException {
    return Files.readAllLines(project.folder().resolve("prompts"));
  }

  @Test
  void theAgentGetsItAfterItsStepOrAtOnceOrNext() throws Exception {
    try (AtTerminal terminal = project.typing()) {
      terminal.expect("you> ");
      terminal.type("step file\n");
      terminal.expect("make file  [pending]");
      terminal.type("/step say next\n");
      terminal.expect("the agent gets after its tool call: say next");
      Files.createFile(project.folder().resolve("file"));
      terminal.expect("│ say next");
      terminal.expect("you> ");
      terminal.type("wait\n");
      terminal.expect("│ waiting");
      terminal.type("//now later\n");
      terminal.expect("queued: /now later");
      terminal.type("y\n");
      terminal.expect("not sent: 'y' answers a question, and none is open");
      terminal.type("/now\n");
      terminal.expect("not sent: there is nothing after /now");
      terminal.type("/now say stop\n");
      terminal.expect("the agent gets at once: say stop");
      terminal.expect("│ say stop");
      terminal.expect("now the queued prompt: /now later");
      terminal.expect("│ /now later");
      terminal.expect("you> ");
      terminal.type("\u0004");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
    assertThat(prompts())
        .containsExactly("step file", "say next", "wait", "say stop", "/now later");
  }

  @Test
  void whatIsTypedBeforeAQuestionDoesNotAnswerIt() throws Exception {
    try (AtTerminal terminal = project.typing()) {
      terminal.expect("you> ");
      terminal.type("many 2\n");
      terminal.expect("details > ");
      terminal.type("y\ny\n");
      terminal.expect("not sent");
      terminal.expect("command: touch it-1");
      terminal.expect("details > ");
      terminal.type("n\n");
      terminal.expect("│ not made");
      terminal.expect("you> ");
      terminal.type("\u0004");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
    assertThat(project.folder().resolve("it-0")).exists();
    assertThat(project.folder().resolve("it-1")).doesNotExist();
  }

  @Test
  void ctrlCDropsWhatIsQueued() throws Exception {
    try (AtTerminal terminal = project.typing()) {
      terminal.expect("you> ");
      terminal.type("wait\n");
      terminal.expect("│ waiting");
      terminal.type("say later\n");
      terminal.expect("queued: say later");
      terminal.type("\u0003");
      terminal.expect("dropped: say later");
      terminal.expect("you> ");
      terminal.type("\u0004");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(130);
    }
    assertThat(prompts()).containsExactly("wait");
  }

  @Test
  void whatAKilledRunHasNotPassedOnTheNextOneDoes() throws Exception {
    try (AtTerminal terminal = project.typing()) {
      terminal.expect("you> ");
      terminal.type("wait\n");
      terminal.expect("│ waiting");
      terminal.type("say later\n");
      terminal.expect("queued: say later");
      for (ProcessHandle process : terminal.processes()) {
        if (isAgent(process)) {
          freeze(process);
        }
      }
      terminal.type("/now say stop\n");
      terminal.expect("the agent gets at once: say stop");
      terminal.kill();
    }
    assertThat(prompts()).containsExactly("wait");
    try (AtTerminal terminal = project.atTerminal("--prompt", "say end")) {
      terminal.expect("│ say later");
      terminal.expect("│ say end");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
    assertThat(prompts())
        .containsOnlyOnce("say stop", "say later")
        .containsSubsequence("say stop", "say later", "say end");
  }

  private static boolean isAgent(ProcessHandle process) throws IOException {
    Path words = Path.of("/proc", "" + process.pid(), "cmdline");
    return Files.exists(words) && Files.readString(words).contains("\0" + NAME);
  }

  /** Has a process hear nothing more, until it is killed. */
  private static void freeze(ProcessHandle process) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-STOP", "" + process.pid()).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }
}
