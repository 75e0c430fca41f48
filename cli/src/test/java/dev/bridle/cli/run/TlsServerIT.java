package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a server that somebody has started by hand, with a certificate. */
@Tag("slow")
final class TlsServerIT {
  @TempDir private Path directory;

  @Test
  void aRunGoesOnWhenTheCertificateIsReplacedAndItsPrintedCommandAnswers() throws Exception {
    ScriptedProject project = ScriptedProject.in(directory);
    Files.createDirectory(project.data());
    create();
    ServerProcess server =
        ServerProcess.start(
            BuiltBridle.java(), directory.resolve("server.log"), options(project.data()));
    try (AtTerminal terminal =
        project.atTerminal("--approve", "elsewhere", "--prompt", "make it")) {
      terminal.expect("command: touch it");
      ServerFile before = project.server();
      create();
      await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> !project.server().certificate().equals(before.certificate()));

      ScriptedProject.runShown(terminal, "permission approve");
      terminal.expect("│ made it");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    } finally {
      assertThat(server.stop()).isZero();
    }
    assertThat(project.folder().resolve("it")).exists();
  }

  private void create() {
    String tls = directory.resolve("tls").toString();
    var unused =
        Commands.run(
            0, "tls", "create", "--dir", tls, "--name", "localhost", "--name", "127.0.0.1");
  }

  private List<String> options(Path data) {
    return List.of(
        "--data-dir",
        data.toString(),
        "--api-key-file",
        data.resolve(DetachedServer.KEY_FILE).toString(),
        "--no-demo-agent",
        "--http-port",
        "0",
        "--grpc-port",
        "0",
        "--tls-cert",
        directory.resolve("tls/server.crt").toString(),
        "--tls-key",
        directory.resolve("tls/server.key").toString());
  }
}
