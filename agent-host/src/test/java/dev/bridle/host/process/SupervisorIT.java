package dev.bridle.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How an agent is kept running, and when that is given up. */
@Timeout(60)
final class SupervisorIT {
  private static final Duration NOW = Duration.ZERO;
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir Path folder;

  /** An agent is ready when it has said so. */
  private static class Recorder implements AgentLifecycle {
    final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void started(AgentProcess process) throws Exception {
      if (process.output().read() < 0) {
        throw new IOException("it said nothing");
      }
      seen.add("ready");
    }

    @Override
    public void exited(AgentExit exit) {
      seen.add(exit.reason() + " " + exit.code());
    }

    @Override
    public void over(AgentExit last) {
      seen.add("over " + last.reason());
    }
  }

  private final Recorder recorder = new Recorder();

  private Supervisor supervise(Agents agents, RestartPolicy policy, String script) {
    Supervisor supervisor =
        new Supervisor(agents.launcher, agents.script(script), policy, recorder, agents.timer());
    supervisor.start();
    return supervisor;
  }

  private static RestartPolicy policy(int restarts, Duration pause, Duration startTimeout) {
    return new RestartPolicy(restarts, pause, LONG, LONG, startTimeout);
  }

  private Agents agents() throws Exception {
    return new Agents(IsolationTier.MARKED, folder);
  }

  @Test
  void anAgentThatEndsIsStartedAgainUntilTheLimit() throws Exception {
    try (Agents agents = agents()) {
      Supervisor supervisor = supervise(agents, policy(2, NOW, LONG), "echo ready; exit 4");

      assertThat(supervisor.over().get(30, TimeUnit.SECONDS).code()).isEqualTo(4);
      assertThat(supervisor.starts()).isEqualTo(3);
      assertThat(recorder.seen)
          .containsExactly(
              "ready", "EXITED 4", "ready", "EXITED 4", "ready", "EXITED 4", "over EXITED");
    }
  }

  @Test
  void anAgentThatWasSteadyMayBeStartedAgainWithoutEnd() throws Exception {
    try (Agents agents = agents()) {
      RestartPolicy lenient = new RestartPolicy(1, NOW, NOW, NOW, LONG);
      Supervisor supervisor = supervise(agents, lenient, "echo ready");
      await().until(() -> supervisor.starts() > 4);

      var unused = supervisor.stop(AgentProcessIT.SHORT).get(30, TimeUnit.SECONDS);
      assertThat(recorder.seen.get(recorder.seen.size() - 1)).startsWith("over ");
    }
  }

  @Test
  void anAgentThatIsNotReadyInTimeIsKilled() throws Exception {
    try (Agents agents = agents()) {
      Supervisor supervisor =
          supervise(agents, policy(0, NOW, Duration.ofMillis(100)), "trap '' TERM; sleep 300");

      AgentExit exit = supervisor.over().get(30, TimeUnit.SECONDS);
      assertThat(exit.reason()).isEqualTo(ExitReason.START_FAILED);
      assertThat(exit.sentence()).isEqualTo("The agent was not ready within PT0.1S");
      assertThat(agents.left()).isEmpty();
    }
  }

  @Test
  void anAgentThatCannotBeUsedIsKilled() throws Exception {
    try (Agents agents = agents()) {
      Supervisor supervisor =
          supervise(agents, policy(0, NOW, LONG), "echo no >&2; exec >&-; sleep 300");

      AgentExit exit = supervisor.over().get(30, TimeUnit.SECONDS);
      assertThat(exit.reason()).isEqualTo(ExitReason.START_FAILED);
      assertThat(exit.sentence()).isEqualTo("The start failed: it said nothing");
      assertThat(exit.errors()).isEqualTo("no\n");
    }
  }

  @Test
  void anAgentThatIsStoppedIsNotStartedAgain() throws Exception {
    try (Agents agents = agents()) {
      Supervisor supervisor = supervise(agents, policy(5, NOW, LONG), "echo ready; cat");
      await().until(() -> recorder.seen.contains("ready"));

      AgentExit exit = supervisor.stop(AgentProcessIT.PATIENT).get(30, TimeUnit.SECONDS);
      assertThat(exit.reason()).isEqualTo(ExitReason.STOPPED);
      assertThat(recorder.seen).containsExactly("ready", "STOPPED 0", "over STOPPED");
    }
  }

  @Test
  void aStopEndsThePauseBeforeARestart() throws Exception {
    try (Agents agents = agents()) {
      Supervisor supervisor = supervise(agents, policy(5, LONG, LONG), "echo ready; exit 1");
      await().until(() -> recorder.seen.contains("EXITED 1"));

      assertThat(supervisor.stop(AgentProcessIT.SHORT).get(30, TimeUnit.SECONDS).code())
          .isEqualTo(1);
      assertThat(supervisor.starts()).isEqualTo(1);
    }
  }

  @Test
  void pausesDoubleUpToTheLongest() {
    RestartPolicy policy =
        new RestartPolicy(9, Duration.ofMillis(500), Duration.ofSeconds(3), LONG, LONG);

    assertThat(policy.pauseBefore(1)).isEqualTo(Duration.ofMillis(500));
    assertThat(policy.pauseBefore(2)).isEqualTo(Duration.ofSeconds(1));
    assertThat(policy.pauseBefore(4)).isEqualTo(Duration.ofSeconds(3));
    assertThat(policy.pauseBefore(90)).isEqualTo(Duration.ofSeconds(3));
  }
}
