package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bridle.host.acp.AcpConnection;
import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.AcpOptions;
import dev.bridle.host.acp.AcpTimeouts;
import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.Spawner;
import dev.bridle.worker.TaskFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that starts and never says anything. */
@Timeout(180)
final class SilentAgentIT {
  @TempDir Path folder;

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void anAgentThatDoesNotIntroduceItselfInTimeFailsItsTaskByNameAndIsEnded() throws Exception {
    AgentProcess process =
        AgentLauncher.create(new Spawner(), Optional.empty(), timer)
            .start(
                new AgentCommand(
                    "silent",
                    List.of("sleep", "1000"),
                    folder.toRealPath(),
                    AgentEnvironment.choose(System.getenv(), Set.of(), Map.of()),
                    OptionalLong.empty()));
    AcpOptions plain = AcpOptions.of("1.0");
    AcpTimeouts lasting = plain.timeouts();
    AcpOptions hasty =
        new AcpOptions(
            plain.version(),
            plain.capabilities(),
            plain.others(),
            plain.limits(),
            new AcpTimeouts(
                Duration.ofMillis(200),
                lasting.login(),
                lasting.open(),
                lasting.setting(),
                lasting.prompt()),
            false,
            plain.sessionMeta());
    AcpConnection agent =
        AcpConnection.start("silent", process.output(), process.input(), hasty, timer);

    AcpException why = catchThrowableOfType(AcpException.class, agent::initialize);
    assertThat(why.reason()).isEqualTo(AcpException.Reason.NO_ANSWER);
    TaskFailure failure = AgentProcesses.refused(process, agent, why);

    assertThat(failure.code()).isEqualTo("agent_start");
    assertThat(failure)
        .hasMessageStartingWith(
            "The agent did not open a session: initialize was not answered within 200 ms");
    assertThat(process.exited()).isDone();
  }
}
