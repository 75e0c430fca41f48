package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prompts that are edited at a terminal which can do that. */
@Tag("slow")
final class PromptEditorIT {
  private static final String UP = "\u001b[A";
  private static final String CTRL_A = "\u0001";
  private static final String CTRL_C = "\u0003";
  private static final String CTRL_D = "\u0004";

  /** What draws nothing in place of what was typed. */
  private static final String ERASED = "\u001b[K";

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

  private AtTerminal typing() throws IOException {
    AtTerminal terminal = project.typing(Map.of("TERM", "xterm"));
    terminal.expect("you> ");
    return terminal;
  }

  private List<String> prompts() throws IOException {
    return Files.readAllLines(project.folder().resolve("prompts"));
  }

  private static void leave(AtTerminal terminal) throws Exception {
    terminal.expect("you> ");
    terminal.type(CTRL_D);
    assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
  }

  @Test
  void keysEditAPromptAndEarlierOnesComeBackAlsoInTheNextRun() throws Exception {
    try (AtTerminal terminal = typing()) {
      terminal.type("ay one" + CTRL_A + "s\r");
      terminal.expect("│ say one");
      terminal.expect("done, with");
      leave(terminal);
    }
    try (AtTerminal terminal = typing()) {
      terminal.type(UP + " more\r");
      terminal.expect("│ say one more");
      terminal.expect("done, with");
      leave(terminal);
    }
    assertThat(prompts()).containsExactly("say one", "say one more");
    try (var files = Files.list(directory.resolve("data").resolve("prompts"))) {
      assertThat(files.map(PromptEditorIT::permissions)).containsOnly("rw-------");
    }
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPromptMayHaveSeveralLines() throws Exception {
    try (AtTerminal terminal = typing()) {
      terminal.type("first\\\r");
      terminal.expect(".. ");
      terminal.type("say second 😀\r");
      terminal.expect("│ first");
      terminal.expect("│ say second 😀");
      terminal.expect("done, with");
      terminal.type("\u001b[200~pasted\rsay both\r\u001b[201~");
      terminal.expect("both");
      assertThat(prompts()).as("only typed, not sent").containsExactly("first", "say second 😀");
      terminal.type("\r");
      terminal.expect("│ pasted");
      terminal.expect("│ say both");
      terminal.expect("done, with");
      leave(terminal);
    }
    assertThat(prompts()).containsExactly("first", "say second 😀", "pasted", "say both");
  }

  @Test
  void ctrlCEmptiesThePromptAndThenLeaves() throws Exception {
    try (AtTerminal terminal = typing()) {
      terminal.type("say wrong");
      terminal.expect("wrong");
      terminal.type(CTRL_C);
      terminal.expect(ERASED);
      terminal.type("wait\r");
      terminal.expect("waiting");
      terminal.type("say wrong");
      terminal.expect("wrong");
      terminal.type(CTRL_C);
      terminal.expect(ERASED);
      terminal.type("/now say right\r");
      terminal.expect("the agent gets at once: say right");
      terminal.expect("│ say right");
      terminal.expect("done, with");
      terminal.expect("you> ");
      terminal.type(CTRL_C);
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(130);
      assertThat(terminal.all()).doesNotContain("Ctrl-C again");
    }
    assertThat(prompts()).containsExactly("wait", "say right");
  }

  @Test
  void whatIsTypedWhileOutputComesIsKeptAndAnswersNoQuestion() throws Exception {
    try (AtTerminal terminal = typing()) {
      terminal.type("step file\r");
      terminal.expect("make file  [pending]");
      terminal.type("/now make i");
      terminal.expect("make i");
      terminal.resize(60, 20);
      Files.createFile(project.folder().resolve("file"));
      terminal.expect("make file  [completed]");
      terminal.expect("make i");
      terminal.type("t\r");
      terminal.expect("the agent gets at once: make it");
      terminal.expect("command: touch it");
      terminal.expect("details > ");
      terminal.type(UP + "\n");
      terminal.expect("type y, n with a reason");
      terminal.expect("details > ");
      terminal.type("y\n");
      terminal.expect("│ made it");
      terminal.expect("done, with");
      leave(terminal);
    }
    assertThat(project.folder().resolve("it")).exists();
  }

  @Test
  void anAnswerIsReadAsTheTerminalGivesItAndItsEndEnds() throws Exception {
    try (AtTerminal terminal = typing()) {
      terminal.type("make it\r");
      terminal.expect("details > ");
      terminal.type("n not 😀\n");
      terminal.expect("│ not made");
      terminal.expect("not 😀");
      terminal.expect("you> ");
      terminal.type("make it\r");
      terminal.expect("details > ");
      terminal.type(CTRL_D);
      terminal.expect("the task waits for the answer");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(5);
    }
    assertThat(project.folder().resolve("it")).doesNotExist();
  }

  @Test
  void aRunThatIsTerminatedLeavesTheTerminalAsItWas() throws Exception {
    try (AtTerminal terminal = project.typingBetween("stty -g", Map.of("TERM", "xterm"))) {
      terminal.expect("you> ");
      terminal.type("half");
      terminal.expect("half");
      terminal.processes().stream().filter(PromptEditorIT::isRun).forEach(ProcessHandle::destroy);
      terminal.exit();
      assertThat(terminal.all())
          .containsPattern("(?s)([0-9a-f:]{40,}).*\\1")
          .contains("\u001b[?2004l");
    }
  }

  private static boolean isRun(ProcessHandle process) {
    ProcessHandle.Info info = process.info();
    return info.command().orElse("").endsWith("/java")
        && info.commandLine().orElse("").contains("-Dbridle.typed=true");
  }
}
