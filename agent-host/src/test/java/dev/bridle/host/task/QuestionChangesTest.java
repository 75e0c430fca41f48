package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.AcpConnection;
import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.AcpOptions;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.acp.ScriptedAgent;
import dev.bridle.host.bridge.Skills;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import dev.bridle.worker.ChangedQuestion;
import dev.bridle.worker.Decision;
import dev.bridle.worker.Decision.Verdict;
import dev.bridle.worker.Permission;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent that says more of a tool call while people are asked about it, or afterwards. */
@Timeout(120)
class QuestionChangesTest {
  private static final String ANNOUNCED = update("tool_call", "pending", "{}");
  private static final String ASKED =
      "< {\"method\":\"session/request_permission\",\"id\":\"p1\",\"params\":{\"sessionId\":\"s1\","
          + "\"toolCall\":{\"toolCallId\":\"c1\",\"kind\":\"execute\",\"title\":\"sh deploy.sh\","
          + "\"rawInput\":{\"command\":\"sh deploy.sh\"}},"
          + "\"options\":[{\"optionId\":\"once\",\"name\":\"Once\",\"kind\":\"allow_once\"},"
          + "{\"optionId\":\"no\",\"name\":\"No\",\"kind\":\"reject_once\"}]}}";
  private static final String GO = "> {\"method\":\"go\",\"params\":{}}";
  private static final String IN_PRODUCTION =
      "{\"command\":\"sh deploy.sh\",\"workdir\":\"/srv/production\"}";
  private static final String GRANTED = answer("once");
  private static final String REJECTED = answer("no");
  private static final String END = "< {\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}";
  private static final String CANCELLED =
      "> {\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"s1\"}}";

  @TempDir private Path folder;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<Permission> permissions = Collections.synchronizedList(new ArrayList<>());
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private final List<String> changedKeys = Collections.synchronizedList(new ArrayList<>());
  private final List<String> withdrawnKeys = Collections.synchronizedList(new ArrayList<>());
  private final List<String> answered = Collections.synchronizedList(new ArrayList<>());
  private final List<ObjectNode> divergences = Collections.synchronizedList(new ArrayList<>());
  private People people = permission -> Verdict.ALLOWED;
  private Optional<ObjectNode> modified = Optional.empty();

  /** The tool that an approval rule names. */
  private String ruledTool = "delete_file";

  /** Who is asked. */
  private interface People {
    Verdict decide(Permission permission) throws Exception;
  }

  private AcpConnection agent;

  private final TaskContext task =
      (TaskContext)
          Proxy.newProxyInstance(
              QuestionChangesTest.class.getClassLoader(),
              new Class<?>[] {TaskContext.class},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "step" -> ((Callable<?>) arguments[arguments.length - 1]).call();
                    case "requestPermission" ->
                        decide((String) arguments[0], (Permission) arguments[1]);
                    case "change" -> change((String) arguments[0]);
                    case "divergeByName" -> {
                      divergences.add((ObjectNode) arguments[3]);
                      yield arguments[4].equals("") || arguments[4].equals(ruledTool);
                    }
                    case "takenMessages" -> List.of();
                    case "nextMessage" -> Optional.empty();
                    case "event" -> {
                      if (arguments[1].equals(HostEvents.ANSWERED)) {
                        answered.add(arguments[2].toString());
                      }
                      yield null;
                    }
                    case "onMessage", "sideEffect", "throwIfCancelled" -> null;
                    case "withdraw" -> withdrawnKeys.add((String) arguments[0]);
                    default -> throw new AssertionError(method);
                  });

  private Decision decide(String key, Permission permission) throws Exception {
    permissions.add(permission);
    keys.add(key);
    return new Decision(
        people.decide(permission),
        Optional.of("permission_" + keys.size()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        modified);
  }

  private ChangedQuestion change(String key) {
    changedKeys.add(key);
    return ChangedQuestion.WITHDRAWN;
  }

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  /** Has the agent go on, and waits until the question that is being decided has changed. */
  private void goOnAndAwaitChange() throws AcpException {
    int changes = changedKeys.size();
    agent.notify("go", JsonNodeFactory.instance.objectNode());
    await().until(() -> changedKeys.size() > changes);
  }

  private static String content(Permission permission) {
    return permission.action().getContent().toStringUtf8();
  }

  @Test
  void aQuestionThatChangesIsAskedAgainAndOnlyThatIsAnswered() throws Exception {
    people =
        permission -> {
          if (keys.size() == 1) {
            goOnAndAwaitChange();
            return Verdict.EXPIRED;
          }
          return Verdict.ALLOWED;
        };

    PromptEnd end =
        run(
            ANNOUNCED,
            ASKED,
            GO,
            update("tool_call_update", "in_progress", IN_PRODUCTION),
            GRANTED,
            update("tool_call_update", "completed", IN_PRODUCTION),
            END);

    assertThat(end.reason()).isEqualTo(PromptEnd.Reason.END_TURN);
    assertThat(permissions).hasSize(2);
    assertThat(content(permissions.get(0))).doesNotContain("production");
    assertThat(content(permissions.get(1))).contains("/srv/production").doesNotContain("assumed");
    assertThat(permissions.get(1).replaces()).contains(keys.get(0));
    assertThat(changedKeys).contains(keys.get(0)).doesNotContain(keys.get(1));
    assertThat(divergences).isEmpty();
    assertThat(answered).singleElement().asString().contains("\"option_id\":\"once\"");
  }

  @Test
  void anApprovalOfWhatHasChangedMeanwhileIsVoid() throws Exception {
    people =
        permission -> {
          if (keys.size() == 1) {
            goOnAndAwaitChange();
          }
          return Verdict.ALLOWED;
        };

    var unused =
        run(
            ANNOUNCED,
            ASKED,
            GO,
            update("tool_call_update", "in_progress", IN_PRODUCTION),
            GRANTED,
            update("tool_call_update", "completed", IN_PRODUCTION),
            END);

    assertThat(permissions).hasSize(2);
    assertThat(changedKeys.stream().filter(keys.get(0)::equals).count()).isGreaterThanOrEqualTo(2);
    assertThat(answered).hasSize(2);
    assertThat(answered.get(0)).contains("not_sent");
  }

  @Test
  void aDenialOfWhatHasChangedMeanwhileStands() throws Exception {
    people =
        permission -> {
          goOnAndAwaitChange();
          return Verdict.DENIED;
        };

    var unused =
        run(
            ANNOUNCED,
            ASKED,
            GO,
            update("tool_call_update", "pending", IN_PRODUCTION),
            REJECTED,
            END);

    assertThat(permissions).hasSize(1);
  }

  @Test
  void anAgentThatGoesOnChangingIsDenied() throws Exception {
    people =
        permission -> {
          goOnAndAwaitChange();
          return Verdict.EXPIRED;
        };
    List<String> lines = new ArrayList<>(List.of(ANNOUNCED, ASKED));
    for (int i = 1; i <= QuestionHandler.MOST_CHANGES + 1; i++) {
      lines.add(GO);
      lines.add(
          update("tool_call_update", "pending", IN_PRODUCTION.replace("production", "p" + i)));
    }
    lines.add(REJECTED);
    lines.add(
        "> {\"method\":\"session/prompt\",\"id\":4,\"params\":{\"sessionId\":\"s1\",\"prompt\":[{"
            + "\"type\":\"text\",\"text\":\"This action was not put to the user: sh deploy.sh\\n"
            + "The reason: The agent has changed what it asks for more than 8 times.\\n"
            + "Go on with the task in a way that respects this.\"}]}}");
    lines.add(lines.size(), END.replace("3", "4"));
    lines.add(lines.size() - 2, END);

    var unused = run(lines.toArray(new String[0]));

    assertThat(permissions).hasSize(QuestionHandler.MOST_CHANGES + 1);
  }

  @Test
  void whatIsSaidAgainIsNoOtherQuestion() throws Exception {
    people =
        permission -> {
          agent.notify("go", JsonNodeFactory.instance.objectNode());
          return Verdict.ALLOWED;
        };

    var unused =
        run(
            ANNOUNCED,
            ASKED,
            update("tool_call_update", "pending", "{\"command\":\"sh deploy.sh\"}"),
            GO,
            GRANTED,
            update("tool_call_update", "completed", "{\"command\":\"sh deploy.sh\"}"),
            END);

    assertThat(permissions).hasSize(1);
    assertThat(changedKeys).isEmpty();
    assertThat(divergences).isEmpty();
  }

  @Test
  void aCallThatGoesOnInAnotherFolderHasActedDifferently() {
    assertThatThrownBy(
            () ->
                run(
                    ANNOUNCED,
                    ASKED,
                    GRANTED,
                    update("tool_call_update", "in_progress", IN_PRODUCTION),
                    CANCELLED,
                    END))
        .isInstanceOfSatisfying(
            TaskFailure.class, failure -> assertThat(failure.code()).isEqualTo("acted_differently"))
        .hasMessageContaining("/srv/production");
    assertThat(divergences).singleElement().asString().contains("workdir");
  }

  private static final String NAMED =
      "< {\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":{"
          + "\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"c1\","
          + "\"status\":\"completed\",\"name\":\"delete_file\"}}}";

  @Test
  void aNameThatIsFirstSaidAfterTheAnswerEndsTheTaskWhereARuleNamesTheTool() {
    assertThatThrownBy(() -> run(ANNOUNCED, ASKED, GRANTED, NAMED, CANCELLED, END))
        .isInstanceOf(TaskFailure.class)
        .hasMessageContaining("delete_file");
    assertThat(divergences).singleElement().asString().contains("delete_file");
  }

  @Test
  void aNameThatNoRuleNamesMayBeSaidLate() throws Exception {
    ruledTool = "other_tool";

    assertThat(run(ANNOUNCED, ASKED, GRANTED, NAMED, NAMED, END).reason())
        .isEqualTo(PromptEnd.Reason.END_TURN);
    assertThat(divergences).as("the core is asked once").hasSize(1);
  }

  @Test
  void whatIsReportedForAMomentOnlyIsNoticedToo() {
    assertThatThrownBy(
            () ->
                run(
                    ANNOUNCED,
                    ASKED,
                    GRANTED,
                    update("tool_call_update", "pending", IN_PRODUCTION),
                    update("tool_call_update", "pending", "{\"command\":\"sh deploy.sh\"}"),
                    CANCELLED,
                    END))
        .isInstanceOf(TaskFailure.class);
    assertThat(divergences).hasSize(1);
  }

  @Test
  void whatIsReportedWhileAFurtherQuestionIsOpenHasToBeAllowedByIt() {
    people =
        permission -> {
          if (keys.size() == 1) {
            return Verdict.ALLOWED;
          }
          if (keys.size() == 2) {
            goOnAndAwaitChange();
          } else {
            agent.notify("go", JsonNodeFactory.instance.objectNode());
            await().until(() -> withdrawnKeys.contains(keys.get(2)));
          }
          return Verdict.EXPIRED;
        };

    assertThatThrownBy(
            () ->
                run(
                    ANNOUNCED,
                    ASKED,
                    GRANTED,
                    ASKED.replace("p1", "p2"),
                    GO,
                    update("tool_call_update", "in_progress", IN_PRODUCTION),
                    GO,
                    "< {\"method\":\"$/cancel_request\",\"params\":{\"requestId\":\"p2\"}}",
                    "> {\"id\":\"p2\",\"error\":{\"code\":-32800,"
                        + "\"message\":\"The request was cancelled\"}}",
                    update("tool_call_update", "pending", "{\"command\":\"sh deploy.sh\"}"),
                    CANCELLED,
                    END))
        .isInstanceOfSatisfying(
            TaskFailure.class,
            failure -> assertThat(failure.code()).isEqualTo("acted_differently"));
    assertThat(divergences).singleElement().asString().contains("workdir");
  }

  @Test
  void theArgumentsThatAPersonHasReplacedAreNotWhatTheAgentDoes() throws Exception {
    String pwd = "{\"command\":\"pwd\"}";
    modified = Optional.of(JsonNodeFactory.instance.objectNode().put("command", "pwd"));

    var unused =
        run(
            update("tool_call", "pending", "{\"command\":\"sh deploy.sh\"}"),
            ASKED.substring(0, ASKED.indexOf("[")) + "[]}}",
            "> {\"id\":\"p1\",\"result\":{\"granted\":true,\"args\":" + pwd + "}}",
            update("tool_call_update", "in_progress", "null"),
            update("tool_call_update", "completed", pwd),
            END);

    assertThat(divergences).isEmpty();
  }

  private PromptEnd run(String... lines) throws Exception {
    return run(new RequestTraits(Set.of(), false), lines);
  }

  @Test
  void anAgentThatIsKnownToSayTheRestIsWaitedFor() throws Exception {
    var unused =
        run(
            new RequestTraits(Set.of(), true),
            ANNOUNCED,
            ASKED,
            update("tool_call_update", "in_progress", IN_PRODUCTION),
            GRANTED,
            update("tool_call_update", "completed", IN_PRODUCTION),
            END);

    assertThat(permissions)
        .singleElement()
        .satisfies(asked -> assertThat(content(asked)).contains("/srv/production"));
    assertThat(permissions.get(0).action().hasNotExact()).isFalse();
  }

  @Test
  void ifItSaysNothingMoreTheActionIsNotKnownExactly() throws Exception {
    var unused =
        run(
            new RequestTraits(Set.of(), true),
            ANNOUNCED,
            ASKED,
            GRANTED,
            update("tool_call_update", "completed", "{\"command\":\"sh deploy.sh\"}"),
            END);

    assertThat(permissions.get(0).action().getNotExact()).contains("has not said all");
    assertThat(content(permissions.get(0))).contains("says");
  }

  private PromptEnd run(RequestTraits traits, String... lines) throws Exception {
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
    AcpOptions options = AcpOptions.of("1.0").completingInput(traits.completesInput());
    try (ScriptedAgent scripted = new ScriptedAgent(script, options)) {
      agent = scripted.host;
      AskingRules asking = new AskingRules(false, false, Duration.ZERO, false, false, traits);
      AgentTurn turn = turn(asking);
      AcpSession session =
          scripted
              .host
              .open(
                  scripted.host.initialize(),
                  Path.of("/work"),
                  Optional.empty(),
                  JsonNodeFactory.instance.arrayNode(),
                  turn)
              .session();
      PromptEnd end = turn.run(session, "hi", () -> {});
      scripted.assertPlayed();
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

  private static String answer(String option) {
    return "> {\"id\":\"p1\",\"result\":{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\""
        + option
        + "\"}}}";
  }

  private static String update(String variant, String status, String input) {
    return "< {\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":{"
        + "\"sessionUpdate\":\""
        + variant
        + "\",\"toolCallId\":\"c1\",\"kind\":\"execute\",\"title\":\"bash\",\"status\":\""
        + status
        + "\",\"rawInput\":"
        + input
        + "}}}";
  }
}
