package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.cli.process.BuiltBridle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bridle run} on terminals of its own: size, interrupts, and prompts from elsewhere. */
@Tag("slow")
final class RealTerminalIT {
  @TempDir private static Path directory;
  private Path folder;
  private Path agent;

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  @BeforeEach
  void make() throws IOException {
    String missing = AtTerminal.missing();
    if (!missing.isEmpty()) {
      System.out.println("Skipped: " + missing);
    }
    assumeTrue(missing.isEmpty(), missing);
    folder = Files.createTempDirectory(directory, "project").toRealPath();
    agent = AgentProgram.make(directory, "agent");
  }

  /** The command line, as the {@code bridle} script starts it at a terminal. */
  private List<String> command(String... more) {
    List<String> arguments = new ArrayList<>(List.of("run", "--dir", folder.toString()));
    arguments.addAll(List.of("--data-dir", directory.resolve("data").toString()));
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--", agent.toString()));
    List<String> words = new ArrayList<>(BuiltBridle.java().bridle(arguments));
    words.add(1, "-D" + TerminalWriter.PROPERTY + "=true");
    return words;
  }

  @Test
  void linesFitTheTerminalAlsoAfterItsSizeHasChanged() throws Exception {
    List<String> words = command();
    words.add(1, "-Dbridle.typed=true");
    try (AtTerminal terminal = AtTerminal.start(words)) {
      terminal.expect("you> ");
      terminal.resize(50, 20);
      terminal.type("say a\n");
      terminal.expect("│ say a");
      terminal.type("say " + "x".repeat(120) + "\n");
      terminal.expect("│ say ");
      String shown = terminal.until("done, with");
      assertThat(shown.lines().filter(line -> line.startsWith("│ xx")).findFirst().orElseThrow())
          .hasSizeBetween(40, 50);
      terminal.type("make it\n");
      terminal.expect("command: touch it");
      terminal.resize(30, 20);
      terminal.expect("details > ");
      terminal.type("y\n");
      terminal.expect("│ made it");
      terminal.type("\u0004");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
  }

  @Test
  void aSecondCtrlCLeavesTheTaskToTheNextStart() throws Exception {
    try (AtTerminal terminal = AtTerminal.start(command("--prompt", "make it"))) {
      terminal.expect("details > ");
      terminal.type("\u0003");
      terminal.expect("Ctrl-C again leaves it running");
      terminal.type("\u0003");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(130);
    }
    try (AtTerminal terminal = AtTerminal.start(command("--prompt", "say end"))) {
      terminal.expect("the last task goes on");
      terminal.expect("command: touch it");
      terminal.expect("details > ");
      terminal.type("y\n");
      terminal.expect("│ made it");
      terminal.expect("│ say end");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
  }

  @Test
  void thePromptMayComeFromAPipeWhileQuestionsAreAskedAtTheTerminal() throws Exception {
    String line =
        "echo 'make it' | "
            + command().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    try (AtTerminal terminal = AtTerminal.start(List.of("sh", "-c", line))) {
      terminal.expect("command: touch it");
      terminal.expect("details > ");
      terminal.type("y\n");
      terminal.expect("│ made it");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
  }

  @Test
  void withoutATerminalNobodyCanBeAsked() throws Exception {
    List<String> words = new ArrayList<>(List.of("setsid", "--wait"));
    words.addAll(command("--prompt", "make it"));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as("%s", said).isEqualTo(2);
    assertThat(said).contains("There is no terminal to ask at");
    assertThat(folder.resolve("it")).doesNotExist();
  }

  @Test
  void whereNothingCanBeHiddenFromTheAgentTheFirstLinesWarn() throws Exception {
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : List.of("sh", "setsid", "stty", "cat", "tr", "grep", "kill")) {
      Path found = Path.of("/usr/bin", tool);
      if (Files.exists(found)) {
        Files.copy(found, tools.resolve(tool), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Map<String, String> path = Map.of("PATH", tools.toString());
    try (AtTerminal terminal =
        AtTerminal.start(command("--approve", "deny", "--prompt", "say hello"), path)) {
      terminal.expect("WARNING: ");
      terminal.expect("nothing is hidden");
      terminal.expect("│ say hello");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
  }
}
