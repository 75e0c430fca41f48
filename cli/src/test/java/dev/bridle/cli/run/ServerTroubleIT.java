package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import dev.bridle.storage.embedded.DirectoryLock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be in the way of the server that runs in several folders share. */
@Tag("slow")
final class ServerTroubleIT {
  @TempDir private static Path directory;
  private ScriptedProject project;

  @BeforeEach
  void make() throws IOException {
    project =
        ScriptedProject.in(Files.createTempDirectory(directory, "at"), directory.resolve("data"));
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  private String denying(String prompt) {
    return project.run(0, "--approve", "deny", "--prompt", prompt).out();
  }

  private static ServerSocket take(ServerFile server) throws IOException {
    return new ServerSocket(
        URI.create(server.httpUrl()).getPort(), 1, InetAddress.getLoopbackAddress());
  }

  private static void kill(ServerFile server) {
    ProcessHandle process = server.process().orElseThrow();
    process.destroyForcibly();
    process.onExit().join();
  }

  @Test
  void aServerWhosePortSomebodyHasGetsOthersAndSaysSo() throws Exception {
    assertThat(denying("say hello")).contains("│ say hello");
    ServerFile before = project.server();
    kill(before);
    try (ServerSocket taken = take(before)) {
      String said = denying("say again");

      ServerFile after = project.server();
      assertThat(after.httpUrl()).isNotEqualTo(before.httpUrl());
      assertThat(said)
          .contains("another program uses a port that the server had", after.httpUrl())
          .contains(", goes on", "│ say again");
      assertThat(taken.isBound()).isTrue();
      kill(after);
      assertThat(denying("say more")).contains("│ say more").doesNotContain("another program");
      assertThat(project.server().httpUrl()).as("kept").isEqualTo(after.httpUrl());
    }
  }

  @Test
  void aRunWhoseServerComesBackAtAnotherPortSaysThatTheNextOneGoesOn() throws Exception {
    try (AtTerminal terminal = project.atTerminal("--prompt", "make it")) {
      terminal.expect("details > ");
      ServerFile before = project.server();
      // Nobody starts a server until the port is taken.
      DirectoryLock start = HostLocks.ofStart(project.data());
      kill(before);
      try (ServerSocket taken = take(before)) {
        start.close();
        terminal.expect("another program uses a port");
        terminal.expect("the server runs at another address");
        terminal.expect("the next 'bridle run' in this folder goes on");
        terminal.kill();
        assertThat(taken.isBound()).isTrue();
      }
    }
    assertThat(project.run(12, "--approve", "deny", "--prompt", "").out())
        .contains("the last task goes on", "│ not made");
  }

  @Test
  void withARevokedKeyTheServerServesOnAndItsNextStartIsRefusedUntilTheFileIsDeleted()
      throws Exception {
    assertThat(denying("say hello")).contains("│ say hello");
    Path key = project.data().resolve(DetachedServer.KEY_FILE);
    String data = project.data().toString();
    String listed = Commands.run(0, "apikey", "list", "--data-dir", data, "--json").out();
    for (String each : listed.lines().toList()) {
      Commands.run(
          0, "apikey", "revoke", Json.parse(each).get("id").textValue(), "--data-dir", data);
    }
    assertThat(denying("say on")).contains(", goes on", "│ say on");

    kill(project.server());
    assertThat(project.run(1, "--approve", "deny", "--prompt", "say x").err())
        .contains("The server did not start", key.toRealPath().toString(), "is revoked")
        .contains("Delete the file");

    Files.delete(key);
    assertThat(denying("say again")).contains(", goes on", "│ say again");
    assertThat(key).exists();
  }

  @Test
  void aServerThatWasStartedByHandIsJoined() throws Exception {
    Commands commands = new Commands(directory);
    try (ServerProcess server = commands.startProcess("hand", "--no-demo-agent")) {
      Path data = Path.of(commands.path("hand"));
      ScriptedProject joining = new ScriptedProject(project.folder(), data, project.agent());

      assertThat(joining.run(0, "--approve", "deny", "--prompt", "say hello").out())
          .contains("│ say hello");
      assertThat(joining.run(5, "--no-wait", "--prompt", "make it").out())
          .contains("--url " + server.url(), "--api-key-file FILE")
          .contains("FILE is one with a key of the server");
      assertThat(joining.run(12, "--approve", "deny", "--prompt", "").out()).contains("│ not made");
    }
  }

  @Test
  void withoutSetsidTheServerStartsAndTheFirstLinesSayWhatDoesNotHold() throws Exception {
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : List.of("sh", "stty", "cat")) {
      Files.copy(
          Path.of("/usr/bin", tool), tools.resolve(tool), StandardCopyOption.COPY_ATTRIBUTES);
    }
    ScriptedProject.stopServer(project.data());
    try (AtTerminal terminal =
        project.atTerminal(
            Map.of("PATH", tools.toString()), "--approve", "deny", "--prompt", "say hello")) {
      terminal.expect("WARNING: ");
      terminal.expect("nothing is hidden");
      terminal.expect("│ say hello");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
    assertThat(project.server().process()).as("the server outlives the run").isPresent();
  }
}
