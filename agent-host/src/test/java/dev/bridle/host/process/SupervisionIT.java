package dev.bridle.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tier of systems that hold no processes for us. The profile is only seen on macOS. */
@Timeout(180)
final class SupervisionIT {
  @TempDir Path folder;

  @BeforeAll
  static void needsBash() throws Exception {
    boolean there = new ProcessBuilder("sh", "-c", "command -v bash").start().waitFor() == 0;
    if (!there) {
      System.out.println("Skipped: this machine has no bash");
    }
    assumeTrue(there, "no bash");
  }

  @Test
  void anAgentIsFedAndHeardAndItsCodeIsPassedOn() throws Exception {
    try (Agents agents = new Agents(IsolationTier.SUPERVISED, folder)) {
      AgentProcess process = agents.start("read line; echo \"got $line\"; exit 7");
      process.input().write("words\n".getBytes(StandardCharsets.UTF_8));
      process.input().flush();

      assertThat(new String(process.output().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("got words\n");
      assertThat(process.exited().get(60, TimeUnit.SECONDS).code()).isEqualTo(7);
    }
  }

  @Test
  void theGroupEndsWithTheAgent() throws Exception {
    try (Agents agents = new Agents(IsolationTier.SUPERVISED, folder)) {
      AgentProcess process = agents.start("(sleep 301 > /dev/null &) ; echo ready");

      assertThat(process.output().read()).isEqualTo('r');
      assertThat(process.exited().get(60, TimeUnit.SECONDS).code()).isZero();
      await().untilAsserted(() -> assertThat(agents.left()).isEmpty());
    }
  }

  @Test
  void aSignalReachesTheAgentWhichMayEndInItsOwnWay() throws Exception {
    try (Agents agents = new Agents(IsolationTier.SUPERVISED, folder)) {
      AgentProcess process =
          agents.start("trap 'echo ended; exit 5' TERM; echo ready; while :; do sleep 0.05; done");
      assertThat(process.output().readNBytes(6)).asString().isEqualTo("ready\n");

      AgentExit exit = process.stop(AgentProcessIT.SHORT).get(60, TimeUnit.SECONDS);
      assertThat(exit.code()).isEqualTo(5);
      assertThat(process.output().readAllBytes()).asString().isEqualTo("ended\n");
    }
  }

  @Test
  void theGroupEndsWithAHostThatIsKilled() throws Exception {
    Process host =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                HostMain.class.getName(),
                IsolationTier.SUPERVISED.name(),
                folder.toString(),
                "sleep 302 > /dev/null & sleep 303 > /dev/null & ")
            .redirectErrorStream(true)
            .start();
    String mark =
        new BufferedReader(new InputStreamReader(host.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    assertThat(mark).startsWith("agent-");
    await()
        .untilAsserted(
            () ->
                assertThat(Agents.withText(mark))
                    .anyMatch(line -> line.startsWith("sleep\000302"))
                    .anyMatch(line -> line.startsWith("sleep\000303")));

    host.destroyForcibly().waitFor();

    await().untilAsserted(() -> assertThat(Agents.withText(mark)).isEmpty());
  }

  @Test
  void aProfileDeniesThePortsOfThisMachineThatItIsGiven() {
    assertThat(Supervision.profile(Path.of("/hidden"), List.of(8080, 9090)))
        .isEqualTo(
            "(version 1)(allow default)"
                + "(deny file-read* file-write* (subpath \"/hidden\"))"
                + "(deny network-outbound (remote ip \"localhost:8080\"))"
                + "(deny network-outbound (remote ip \"localhost:9090\"))");
  }

  @Test
  void aProfileDeniesOneFolderWhateverItsName() {
    assertThat(Supervision.profile(Path.of("/up/a \"b\"\\c"), List.of()))
        .isEqualTo(
            "(version 1)(allow default)"
                + "(deny file-read* file-write* (subpath \"/up/a \\\"b\\\"\\\\c\"))"
                + "(deny file-write-unlink (literal \"/up\"))");
  }

  /** What the program of macOS is given, seen by one of the same name. */
  @Test
  void theAgentRunsInsideOfTheProfile() throws Exception {
    Isolation denying =
        new Isolation(
            IsolationTier.DENIED_FOLDER, Optional.of(Path.of("/hidden")), List.of(), List.of(8080));
    Path program = folder.resolve("sandbox-exec");
    Files.writeString(program, "#!/bin/sh\necho \"$1 $2\"; shift 2; exec \"$@\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    ProcessBuilder builder =
        new ProcessBuilder(denying.wrap(List.of("echo", "agent"), IsolationProbe.identity()));
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    Process process = builder.start();
    process.getOutputStream().close();

    assertThat(output(process))
        .isEqualTo("-p " + Supervision.profile(Path.of("/hidden"), List.of(8080)) + "\nagent\n");
    assertThat(process.waitFor()).isZero();
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
