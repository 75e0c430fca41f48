package dev.bridle.cli.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.process.BuiltBridle;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody ends the command while a replay goes on. */
final class LeftReplayIT {
  @Test
  @Timeout(300)
  void whoLeavesIsToldHowToGoOn() throws Exception {
    try (ScriptedReplays server = new ScriptedReplays()) {
      Process command =
          new ProcessBuilder(
                  BuiltBridle.java()
                      .bridle(
                          List.of(
                              "replay", "task_1", "--url", server.url(), "--api-key", "secret")))
              .start();
      try {
        server.awaitFollower();

        // Unlike the process, its handle leaves open what it has printed.
        assertThat(command.toHandle().destroy()).isTrue();

        assertThat(new String(command.getErrorStream().readAllBytes(), UTF_8))
            .contains("'bridle task watch task_1r --url " + server.url() + " --api-key KEY'")
            .doesNotContain("secret");
        assertThat(command.waitFor()).isNotZero();
      } finally {
        command.destroyForcibly();
      }
    }
  }
}
