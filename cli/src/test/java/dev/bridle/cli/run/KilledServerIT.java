package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server is killed under an agent at random moments around the approval of its action; the
 * agent's host starts it again. {@code -Dbridle.crash.seed=N} runs one again, {@code
 * -Dbridle.run.kills=N} says how often.
 */
final class KilledServerIT {
  private static final int KILLS = Integer.getInteger("bridle.run.kills", 12);

  @TempDir private Path directory;

  @AfterEach
  void stop() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  @Test
  @Tag("slow")
  void afterManyKillsOfTheServerItsTasksEndAndTheRecordIsTrue() throws Exception {
    Path program =
        KillLoop.run(
            directory,
            "the server",
            KILLS,
            (hosted, of, random) -> {
              ProcessHandle server = hosted.serverProcess();
              server.destroyForcibly();
              return List.of(server);
            });
    assertThat(AgentProgram.left(program)).isEmpty();
  }
}
