package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent's process is killed at random moments around the approval of its action. {@code
 * -Dbridle.crash.seed=N} runs one again, {@code -Dbridle.run.kills=N} says how often.
 */
@Tag("slow")
final class KilledAgentIT {
  private static final int KILLS = Integer.getInteger("bridle.run.kills", 25);

  @TempDir private Path directory;

  @AfterEach
  void stop() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  @Test
  void afterManyKillsOfTheAgentItsTasksEndAndTheRecordIsTrue() throws Exception {
    Path program =
        KillLoop.run(
            directory,
            "the agent",
            KILLS,
            (hosted, of, random) -> {
              List<ProcessHandle> tree = hosted.agentProcesses();
              killOne(tree, of, random);
              return tree;
            });
    assertThat(AgentProgram.left(program)).isEmpty();
  }

  /** Kills the agent, or one of those that hold it; what its command runs goes with it. */
  private static void killOne(List<ProcessHandle> tree, Path program, Random random) {
    List<ProcessHandle> agent =
        tree.stream()
            .filter(
                process ->
                    process
                        .info()
                        .commandLine()
                        .filter(
                            line ->
                                line.contains(program.toString())
                                    || line.contains(ScriptedAgent.class.getName()))
                        .isPresent())
            .filter(process -> !isStarting(process))
            .toList();
    assertThat(agent).as("processes of the agent").isNotEmpty();
    agent.get(random.nextInt(agent.size())).destroyForcibly();
  }

  /**
   * Until it has become its command, a process that the agent or its shell starts looks like that
   * one, which may go on without it.
   */
  private static boolean isStarting(ProcessHandle process) {
    Optional<String> own = process.info().commandLine();
    return process
        .parent()
        .flatMap(parent -> parent.info().commandLine())
        .filter(
            line -> line.contains(ScriptedAgent.class.getName()) || own.equals(Optional.of(line)))
        .isPresent();
  }
}
