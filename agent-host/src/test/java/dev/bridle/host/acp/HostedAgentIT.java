package dev.bridle.host.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentExit;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.ExitReason;
import dev.bridle.host.process.Spawner;
import dev.bridle.host.process.StopGrace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real program that is spoken to, dies in a turn, and is taken up again. */
@Timeout(180)
final class HostedAgentIT {
  private static final ArrayNode HI = JsonNodeFactory.instance.arrayNode();

  static {
    HI.addObject().put("type", "text").put("text", "hi");
  }

  @TempDir Path folder;

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final Diary diary = new Diary();

  private OpenedSession open(AgentProcess process, Optional<String> session) throws Exception {
    AcpConnection agent =
        AcpConnection.start(
            "hosted", process.output(), process.input(), AcpOptions.of("1.0"), timer);
    OpenedSession open =
        agent.open(
            agent.initialize(), folder, session, JsonNodeFactory.instance.arrayNode(), diary);
    assertThat(agent.peer().noise()).isEqualTo("Forgetful agent, starting\n");
    return open;
  }

  @Test
  void anAgentThatDiedInATurnTakesItsSessionUpAtItsNextStart() throws Exception {
    String mark = UUID.randomUUID().toString();
    AgentCommand command =
        new AgentCommand(
            "forgetful",
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ForgetfulAgent.class.getName(),
                folder.resolve("file").toString()),
            folder.toRealPath(),
            AgentEnvironment.choose(System.getenv(), Set.of(), Map.of("MARK", mark)),
            OptionalLong.empty());
    AgentLauncher launcher = AgentLauncher.create(new Spawner(), Optional.empty(), timer);
    System.out.println("In tier " + launcher.isolation().tier());
    AgentProcess process = launcher.start(command);
    try {
      OpenedSession first = open(process, Optional.empty());
      assertThat(first.how()).isEqualTo(OpenedSession.How.NEW);
      CompletableFuture<PromptEnd> turn = first.session().prompt(HI);
      assertThat(first.session().answer(diary.asked(), new Reply.Chosen("go"))).isTrue();

      assertThatThrownBy(() -> turn.get(60, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              AcpException.class,
              e -> assertThat(e.reason()).isEqualTo(AcpException.Reason.NO_ANSWER));
      AgentExit death = process.exited().get(60, TimeUnit.SECONDS);
      assertThat(death.reason()).isEqualTo(ExitReason.EXITED);
      assertThat(death.code()).isEqualTo(3);
      assertThat(death.errors()).contains("a line for the log");
      assertThat(diary.lines.remove(diary.lines.size() - 1)).startsWith("closed: ");
      assertThat(withMark(mark, "sleep")).isZero();
      assertThat(Files.readString(folder.resolve("file"))).isEqualTo("written");

      process = launcher.start(command);
      OpenedSession second = open(process, Optional.of(first.session().id()));
      assertThat(second.how()).isEqualTo(OpenedSession.How.LOADED);
      second.session().awaitHistory();
      assertThat(second.session().dropped()).isEqualTo(6);
      CompletableFuture<PromptEnd> again = second.session().prompt(HI);
      second.session().answer(diary.asked(), new Reply.Chosen("go"));
      assertThat(again.get(60, TimeUnit.SECONDS).reason()).isEqualTo(PromptEnd.Reason.END_TURN);
      assertThat(String.join("", diary.lines).replaceAll("AGENT @\\d+ |question w", ""))
          .isEqualTo("I would write.".repeat(2));
    } finally {
      AgentExit end = process.stop(StopGrace.DEFAULT).get(60, TimeUnit.SECONDS);
      assertThat(end.reason()).isEqualTo(ExitReason.STOPPED);
      timer.shutdownNow();
    }
    assertThat(withMark(mark, "")).isZero();
  }

  private static long withMark(String mark, String program) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().command().orElse("").contains(program))
        .filter(process -> environment(process).contains(mark))
        .count();
  }

  private static String environment(ProcessHandle process) {
    try {
      return Files.readString(
          Path.of("/proc", Long.toString(process.pid()), "environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
