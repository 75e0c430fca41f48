package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.acp.AcpOptions;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.acp.ScriptedAgent;
import dev.bridle.host.bridge.Skills;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import dev.bridle.worker.Decision;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an agent that has to ask may do in a turn under the ids of its tool calls. */
@Timeout(180)
final class AgentTurnTest {
  private static final String ASK =
      "< {\"method\":\"session/request_permission\",\"id\":\"%s\",\"params\":{\"sessionId\":\"s1\","
          + "\"toolCall\":{\"toolCallId\":\"c1\",\"kind\":\"execute\",\"title\":\"Run make\"},"
          + "\"options\":[{\"optionId\":\"y\",\"name\":\"Yes\",\"kind\":\"allow_once\"}]}}";
  private static final String GRANTED =
      "> {\"id\":\"%s\",\"result\":{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"y\"}}}";
  private static final String BEGUN = update("in_progress");
  private static final String COMPLETED = update("completed");
  private static final String END = "< {\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}";
  private static final String CANCELLED =
      "> {\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"s1\"}}";

  @TempDir private Path folder;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Queue<String> results = new ConcurrentLinkedQueue<>();

  /** A task in which people allow everything. */
  private final TaskContext task =
      (TaskContext)
          Proxy.newProxyInstance(
              AgentTurnTest.class.getClassLoader(),
              new Class<?>[] {TaskContext.class},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "step" -> ((Callable<?>) arguments[arguments.length - 1]).call();
                    case "requestPermission" -> allowed();
                    case "takenMessages" -> List.of();
                    case "nextMessage" -> Optional.empty();
                    case "event" -> {
                      if (arguments[1].equals(HostEvents.TOOL_RESULT)) {
                        results.add(arguments[2].toString());
                      }
                      yield null;
                    }
                    case "onMessage", "sideEffect", "throwIfCancelled" -> null;
                    default -> throw new AssertionError(method);
                  });

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void aToolCallThatBeginsAgainUnderItsIdHasToBeAskedForAgain() {
    assertThatThrownBy(
            () ->
                run(
                    true,
                    ASK.formatted("p1"),
                    GRANTED.formatted("p1"),
                    BEGUN,
                    COMPLETED,
                    BEGUN,
                    COMPLETED,
                    CANCELLED,
                    END))
        .isInstanceOf(TaskFailure.class)
        .hasMessageContaining("did not ask for: Run make");
  }

  @Test
  void aToolCallThatIsAskedForAgainMayBeginAgain() throws Exception {
    PromptEnd end =
        run(
            true,
            ASK.formatted("p1"),
            GRANTED.formatted("p1"),
            BEGUN,
            COMPLETED,
            update("failed"),
            COMPLETED,
            ASK.formatted("p2"),
            GRANTED.formatted("p2"),
            BEGUN,
            COMPLETED,
            BEGUN,
            ASK.formatted("p3"),
            GRANTED.formatted("p3"),
            COMPLETED,
            END);

    assertThat(end.reason()).isEqualTo(PromptEnd.Reason.END_TURN);
    assertThat(results).hasSize(5).noneMatch(result -> result.contains("unverified"));
  }

  @Test
  void whereTheAgentNeedNotAskWhatBeginsAgainUnaskedIsUnverified() throws Exception {
    var unused =
        run(
            false,
            ASK.formatted("p1"),
            GRANTED.formatted("p1"),
            BEGUN,
            COMPLETED,
            BEGUN,
            COMPLETED,
            END);

    assertThat(results).hasSize(2);
    assertThat(results.poll()).doesNotContain("unverified");
    assertThat(results.poll()).contains("\"unverified\":true");
  }

  private PromptEnd run(boolean mustAsk, String... lines) throws Exception {
    List<String> script = new ArrayList<>();
    script.addAll(
        List.of(
            "> {\"method\":\"initialize\",\"id\":1,\"params\":{\"protocolVersion\":1,"
                + "\"clientCapabilities\":"
                + AcpOptions.of("1.0").capabilities()
                + ",\"clientInfo\":{\"name\":\"bridle\",\"version\":\"1.0\"}}}",
            "< {\"id\":1,\"result\":{\"protocolVersion\":1}}",
            "> {\"method\":\"session/new\",\"id\":2,\"params\":{\"cwd\":\"/work\",\"mcpServers\":[]}}",
            "< {\"id\":2,\"result\":{\"sessionId\":\"s1\"}}",
            "> {\"method\":\"session/prompt\",\"id\":3,\"params\":{\"sessionId\":\"s1\","
                + "\"prompt\":[{\"type\":\"text\",\"text\":\"hi\"}]}}"));
    script.addAll(List.of(lines));
    try (ScriptedAgent agent = new ScriptedAgent(script, AcpOptions.of("1.0"))) {
      AgentTurn turn =
          turn(new AskingRules(mustAsk, false, Duration.ZERO, false, false, RequestTraits.NONE));
      AcpSession session =
          agent
              .host
              .open(
                  agent.host.initialize(),
                  Path.of("/work"),
                  Optional.empty(),
                  JsonNodeFactory.instance.arrayNode(),
                  turn)
              .session();
      PromptEnd end = turn.run(session, "hi", () -> {});
      agent.assertPlayed();
      return end;
    }
  }

  private AgentTurn turn(AskingRules asking) throws Exception {
    AllowedActions actions = new AllowedActions(task);
    ServedCalls served = new ServedCalls();
    TaskReports reports =
        new TaskReports(
            task, actions, new SessionCost(), new SkillIds(Skills.none()), served, "run1");
    TaskTools tools =
        new TaskTools(
            task,
            new FolderFiles(RootFolder.of(folder.toRealPath())),
            new CommandRunner(
                AgentLauncher.create(new Spawner(), Optional.empty(), timer),
                new AgentEnvironment(Map.of(), 0),
                timer),
            reports,
            served,
            actions,
            asking);
    return new AgentTurn(task, reports, actions, folder, asking, UserWords.of(task, timer), tools);
  }

  private static String update(String status) {
    return "< {\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":{"
        + "\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"c1\",\"kind\":\"execute\","
        + "\"title\":\"Run make\",\"status\":\""
        + status
        + "\"}}}";
  }

  private static Decision allowed() {
    return new Decision(
        Decision.Verdict.ALLOWED,
        Optional.of("permission_1"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
