package dev.bridle.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.rpc.JsonRpcPeer;
import dev.bridle.host.rpc.PeerException;
import dev.bridle.host.rpc.PeerException.Reason;
import dev.bridle.host.rpc.PeerHandler;
import dev.bridle.host.rpc.PeerLimits;
import dev.bridle.host.rpc.RawJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that behave badly, in each tier that the machine has. */
@Timeout(180)
final class AgentProcessIT {
  static final StopGrace SHORT = new StopGrace(Duration.ofMillis(150), Duration.ofMillis(300));
  static final StopGrace PATIENT = new StopGrace(Duration.ofMillis(50), Duration.ofSeconds(20));

  @Nested
  final class InNamespacesWithAHiddenFolder extends Behaviour {
    InNamespacesWithAHiddenFolder() {
      super(IsolationTier.HIDDEN_FOLDER);
    }
  }

  @Nested
  final class InNamespaces extends Behaviour {
    InNamespaces() {
      super(IsolationTier.NAMESPACES);
    }
  }

  @Nested
  final class FoundByTheirMarker extends Behaviour {
    FoundByTheirMarker() {
      super(IsolationTier.MARKED);
    }
  }

  abstract static class Behaviour {
    private final IsolationTier tier;
    @TempDir Path folder;

    Behaviour(IsolationTier tier) {
      this.tier = tier;
    }

    private static String line(AgentProcess process) throws IOException {
      return new BufferedReader(new InputStreamReader(process.output(), StandardCharsets.UTF_8))
          .readLine();
    }

    private static JsonRpcPeer connect(Agents agents, AgentProcess process, PeerHandler handler) {
      return JsonRpcPeer.start(
          "test", process.output(), process.input(), PeerLimits.DEFAULT, handler, agents.timer());
    }

    private static AgentExit end(CompletableFuture<AgentExit> exit) throws Exception {
      return exit.get(60, TimeUnit.SECONDS);
    }

    @Test
    void itSpeaksOverPipesAndItsErrorsAreKept() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process = agents.start("echo oops >&2; read -r x; echo \"got $x\"; exit 7");
        process.input().write("hello\n".getBytes(StandardCharsets.UTF_8));
        process.input().flush();

        assertThat(line(process)).isEqualTo("got hello");
        AgentExit exit = end(process.exited());
        assertThat(exit.reason()).isEqualTo(ExitReason.EXITED);
        assertThat(exit.code()).isEqualTo(7);
        assertThat(exit.errors()).isEqualTo("oops\n");
        assertThat(exit.left()).isZero();
      }
    }

    @Test
    void theEndOfItsInputIsEnoughForOneThatListens() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process = agents.start("trap 'exit 3' TERM; cat > /dev/null; exit 5");
        AgentExit exit =
            end(process.stop(new StopGrace(Duration.ofSeconds(20), Duration.ofSeconds(20))));

        assertThat(exit.reason()).isEqualTo(ExitReason.STOPPED);
        assertThat(exit.code()).isEqualTo(5);
      }
    }

    @Test
    void theSignalTermReachesTheAgent() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process =
            agents.start(
                "trap 'exit 9' TERM; echo ready; while true; do sleep 0.05 < /dev/null; done");
        assertThat(line(process)).isEqualTo("ready");

        assertThat(end(process.stop(PATIENT)).code()).isEqualTo(9);
      }
    }

    @Test
    void oneThatIgnoresTermIsKilledWithItsFarChildren() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process =
            agents.start(
                "trap '' TERM; " + Agents.FAR_CHILD + "echo ready; while true; do sleep 1; done");
        assertThat(line(process)).isEqualTo("ready");
        await().until(() -> agents.left().stream().anyMatch(one -> one.contains("301")));

        AgentExit exit = end(process.stop(SHORT));

        assertThat(exit.reason()).isEqualTo(ExitReason.STOPPED);
        assertThat(exit.left()).isZero();
        assertThat(agents.left()).isEmpty();
      }
    }

    @Test
    void itsFarChildrenEndWithIt() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process = agents.start(Agents.FAR_CHILD + "echo ready; read -r x; exit 0");
        assertThat(line(process)).isEqualTo("ready");
        await().until(() -> agents.left().stream().anyMatch(one -> one.contains("301")));
        process.input().close();

        assertThat(end(process.exited()).reason()).isEqualTo(ExitReason.EXITED);
        assertThat(agents.left()).isEmpty();
      }
    }

    @Test
    void oneThatNeverReadsIsStoppedWhileAWriteWaits() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process = agents.start("trap '' TERM; while true; do sleep 1; done");
        JsonRpcPeer peer = connect(agents, process, new PeerHandler() {});
        var params = JsonNodeFactory.instance.objectNode().put("text", "t".repeat(1 << 20));
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    peer.notify("n", params);
                  }
                })
            .isInstanceOfSatisfying(
                PeerException.class, e -> assertThat(e.reason()).isEqualTo(Reason.OUTGOING_FULL));

        assertThat(end(process.stop(SHORT)).reason()).isEqualTo(ExitReason.STOPPED);
        assertThat(agents.left()).isEmpty();
        assertThat(peer.ended().get(60, TimeUnit.SECONDS)).isNotNull();
      }
    }

    @Test
    void oneThatFloodsIsReadAndStopped() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process =
            agents.start("exec yes '{\"jsonrpc\":\"2.0\",\"method\":\"flood\"}'");
        AtomicLong seen = new AtomicLong();
        PeerHandler counting =
            new PeerHandler() {
              @Override
              public void notification(String method, RawJson params, RawJson whole) {
                seen.incrementAndGet();
              }
            };
        JsonRpcPeer peer = connect(agents, process, counting);
        await().until(() -> seen.get() > 50_000);

        assertThat(end(process.stop(SHORT)).left()).isZero();
        assertThat(peer.ended().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Reason.ENDED);
      }
    }

    @Test
    void oneThatClosesItsOutputAndLivesOnIsNoticedAndStopped() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process = agents.start("exec >&-; while true; do sleep 0.2; done");
        JsonRpcPeer peer = connect(agents, process, new PeerHandler() {});

        // In a namespace its first process holds the pipe too.
        if (tier == IsolationTier.MARKED) {
          assertThat(peer.ended().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Reason.ENDED);
        }
        assertThat(process.exited()).isNotDone();
        assertThat(end(process.stop(SHORT)).reason()).isEqualTo(ExitReason.STOPPED);
        assertThat(peer.ended().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Reason.ENDED);
      }
    }

    @Test
    void oneThatDiesInMidMessageFailsItsCalls() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process =
            agents.start("read -r x; printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"res'; kill -KILL $$");
        JsonRpcPeer peer = connect(agents, process, new PeerHandler() {});
        CompletableFuture<RawJson> call =
            peer.call("a", JsonNodeFactory.instance.objectNode(), Duration.ofMinutes(1));

        assertThatThrownBy(() -> peer.await(call))
            .isInstanceOfSatisfying(
                PeerException.class, e -> assertThat(e.reason()).isEqualTo(Reason.ENDED));
        AgentExit exit = end(process.exited());
        assertThat(exit.reason()).isEqualTo(ExitReason.EXITED);
        assertThat(exit.code()).isEqualTo(128 + 9);
        assertThat(peer.noise()).contains("\"res");
      }
    }

    @Test
    void oneThatUsesTooMuchMemoryIsKilledByName() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process =
            agents.launcher.start(
                agents.script(
                    "head -c 300m /dev/zero | tail & wait; sleep 300", OptionalLong.of(100 << 20)));

        AgentExit exit = end(process.exited());
        assertThat(exit.reason()).isEqualTo(ExitReason.MEMORY_LIMIT);
        assertThat(exit.sentence()).contains("100 MiB are allowed");
        assertThat(agents.left()).isEmpty();
      }
    }

    @Test
    void itHasNoTerminalAndASessionOfItsOwn() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process =
            agents.start("if (: < /dev/tty) 2> /dev/null; then echo terminal; else echo none; fi");

        assertThat(line(process)).isEqualTo("none");
        end(process.exited());
      }
    }

    @Test
    void itSeesTheVariablesThatAreChosenAlone() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentProcess process = agents.start("env | cut -d = -f 1 | sort | tr '\\n' ' '");

        assertThat(line(process).split(" "))
            .contains("AGENT_HOST_MARK", "MARK", "PATH")
            .noneMatch(name -> name.startsWith("BRIDLE") || name.startsWith("MAVEN"));
        end(process.exited());
      }
    }

    @Test
    void aProgramThatIsMissingIsToldBeforeAnythingStarts() throws Exception {
      try (Agents agents = new Agents(tier, folder)) {
        AgentCommand command = agents.script("");
        AgentCommand missing =
            new AgentCommand(
                "missing",
                List.of("no-such-agent-here"),
                command.directory(),
                command.environment(),
                OptionalLong.empty());

        assertThatThrownBy(() -> agents.launcher.start(missing))
            .isInstanceOf(IOException.class)
            .hasMessage("There is no program no-such-agent-here");
      }
    }
  }
}
