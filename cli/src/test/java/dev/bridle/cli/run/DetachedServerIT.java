package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.process.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server that runs in several folders share, which outlives them. */
@Tag("slow")
final class DetachedServerIT {
  private static final String OTHER_VERSION = "0.0.1";

  @TempDir private Path directory;
  private ScriptedProject project;

  @BeforeEach
  void make() throws IOException {
    project = ScriptedProject.in(directory);
  }

  @AfterEach
  void stop() throws IOException {
    project.stopServer();
  }

  private static Commands.Said denying(ScriptedProject in, String prompt) {
    return in.run(0, "--approve", "deny", "--prompt", prompt);
  }

  @Test
  void twoFoldersThatStartAtOnceShareAServerAndAThirdRunInOneIsRefused() throws Exception {
    ScriptedProject second = project.another("second");
    try (AtTerminal one = project.atTerminal("--prompt", "make one");
        AtTerminal two = second.atTerminal("--prompt", "make two")) {
      one.expect("details > ");
      two.expect("details > ");
      assertThat(project.run(1, "--approve", "deny", "--prompt", "x").err())
          .contains("Another 'bridle run' works in " + project.folder());
      one.type("y\n");
      one.expect("│ made one");
      assertThat(one.exit()).as("%s", one.all()).isZero();
      two.type("y\n");
      two.expect("│ made two");
      assertThat(two.exit()).as("%s", two.all()).isZero();
    }
    assertThat(project.folder().resolve("one")).exists();
    assertThat(second.folder().resolve("two")).exists();
    assertThat(servers()).as("servers").isEqualTo(1);
    assertThat(Files.getPosixFilePermissions(project.data().resolve(DetachedServer.KEY_FILE)))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(Files.getPosixFilePermissions(project.data()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  private long servers() {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains(" up ") && line.contains(project.data().toString()))
        .count();
  }

  @Test
  @Tag("slow")
  void aServerThatIsKilledUnderAnAgentIsStartedAgainAndTheTaskGoesOn() throws Exception {
    try (AtTerminal terminal = project.atTerminal("--prompt", "make it")) {
      terminal.expect("details > ");
      ServerFile before = project.server();
      before.process().orElseThrow().destroyForcibly();
      terminal.expect("the server runs again");
      terminal.type("y\n");
      terminal.expect("│ made it");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
      assertThat(project.server().httpUrl()).isEqualTo(before.httpUrl());
    }
    assertThat(project.folder().resolve("it")).hasContent("made");
  }

  @Test
  void aServerStaysForTheNextRunAndOneThatCrashedIsStartedByIt() throws Exception {
    assertThat(denying(project, "say hello").out()).contains("│ say hello");
    ServerFile first = project.server();
    assertThat(denying(project.another("second"), "say more").out())
        .contains("│ say more")
        .doesNotContain("goes on");
    assertThat(project.server()).isEqualTo(first);

    ProcessHandle process = first.process().orElseThrow();
    process.destroyForcibly();
    process.onExit().join();
    assertThat(denying(project, "say again").out()).contains(", goes on", "│ say again");
    assertThat(project.server().pid()).isNotEqualTo(first.pid());
  }

  @Test
  void aServerOfAnotherVersionIsReplacedOnceNobodyUsesIt() throws Exception {
    try (AtTerminal terminal = project.atTerminal("--prompt", "make it")) {
      terminal.expect("details > ");
      pretendOtherVersion();
      assertThat(project.another("second").run(1, "--approve", "deny", "--prompt", "x").err())
          .contains("is Bridle " + OTHER_VERSION, "end the other 'bridle run'");
      terminal.type("n\n");
      assertThat(terminal.exit()).as("%s", terminal.all()).isEqualTo(12);
    }
    ServerFile other = project.server();

    assertThat(denying(project, "say new").out())
        .contains("the server is Bridle " + OTHER_VERSION, "│ say new");
    assertThat(project.server().pid()).isNotEqualTo(other.pid());
  }

  private void pretendOtherVersion() throws IOException {
    ServerFile is = project.server();
    new ServerFile(
            is.pid(),
            is.startedAt(),
            OTHER_VERSION,
            is.endsUnused(),
            is.grpcHost(),
            is.grpcPort(),
            is.httpUrl(),
            is.certificate(),
            is.harpUrl())
        .write(project.data());
  }

  @Test
  void anUnusedServerEndsOnceNoQuestionWaits() throws Exception {
    project.run(
        5, "--approve", "elsewhere", "--no-wait", "--end-unused", "2s", "--prompt", "make it");
    ProcessHandle process = project.server().process().orElseThrow();
    await()
        .during(Duration.ofSeconds(5))
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(process.isAlive()).as("waits for the answer").isTrue());

    assertThat(project.run(12, "--approve", "deny", "--prompt", "say bye").out())
        .contains("│ not made", "│ say bye");

    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(process.isAlive()).isFalse());
    assertThat(project.data().resolve("server.json")).doesNotExist();
  }
}
