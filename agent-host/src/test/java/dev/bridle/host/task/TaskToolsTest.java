package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.bridge.Skills;
import dev.bridle.host.bridge.ToolFailure;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.worker.Decision;
import dev.bridle.worker.Permission;
import dev.bridle.worker.TaskContext;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the host's tools ask people, and what counts as served. */
final class TaskToolsTest {
  @TempDir private Path folder;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<Permission> asked = new ArrayList<>();

  private final ServedCalls served = new ServedCalls();

  /** A task whose policy allows to read, and in which people deny everything. */
  private final TaskContext task =
      (TaskContext)
          Proxy.newProxyInstance(
              TaskToolsTest.class.getClassLoader(),
              new Class<?>[] {TaskContext.class},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "step" -> ((Callable<?>) arguments[1]).call();
                    case "requestPermission" -> {
                      Permission permission = (Permission) arguments[1];
                      asked.add(permission);
                      yield decision(
                          permission.policyOnly()
                              ? Decision.Verdict.ALLOWED
                              : Decision.Verdict.DENIED);
                    }
                    default -> throw new AssertionError(method);
                  });

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @ParameterizedTest
  @CsvSource({"true,false", "false,true", "true,true", "false,false"})
  void whatWritesOrRunsIsAskedByTheRulesOfItsHost(boolean sessionGrantsOnly, boolean signedOnly)
      throws Exception {
    TaskTools tools =
        tools(
            new AskingRules(
                true, false, Duration.ZERO, sessionGrantsOnly, signedOnly, RequestTraits.NONE));

    callDenied(tools, "write_file", "{\"path\":\"a.txt\",\"content\":\"x\"}");
    callDenied(tools, "run_command", "{\"command\":\"echo x > a.txt\"}");

    assertThat(asked)
        .extracting(permission -> permission.action().getTool())
        .containsExactly("write_file", "run_command");
    assertThat(asked)
        .allSatisfy(
            permission -> {
              assertThat(permission.sessionGrantsOnly()).isEqualTo(sessionGrantsOnly);
              assertThat(permission.signedOnly()).isEqualTo(signedOnly);
              assertThat(permission.policyOnly()).isFalse();
            });
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aCallThatIsCancelledCountsAsFailedBeforeItsCallerIsAnswered() throws Exception {
    TaskTools tools =
        tools(new AskingRules(true, false, Duration.ZERO, false, false, RequestTraits.NONE));
    HostCall call = call("run_command", "{\"command\":\"echo x > a.txt\"}");
    tools.begin(call);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> tools.await(call)).isInstanceOf(InterruptedException.class);
    assertThat(served.take(reported("run_command", "failed"))).isTrue();

    assertThatThrownBy(() -> tools.call(call)).hasMessage("The call was cancelled");
    assertThat(served.take(reported("run_command", "failed"))).as("counts once").isFalse();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aCallThatIsCancelledTooLateGivesBackWhatCounts() throws Exception {
    TaskTools tools =
        tools(new AskingRules(true, false, Duration.ZERO, false, false, RequestTraits.NONE));
    HostCall call = call("list_files", "{}");
    tools.begin(call);
    JsonNode result = tools.call(call);
    Thread ending =
        new Thread(
            () -> {
              while (!call.isCancelled()) {
                Thread.onSpinWait();
              }
              call.result().complete(result);
            });
    ending.start();

    Thread.currentThread().interrupt();
    assertThat(tools.await(call)).isEqualTo(result);
    ending.join();
    assertThat(served.take(reported("list_files", "failed"))).isFalse();
    assertThat(served.take(reported("list_files", "completed"))).isTrue();
  }

  private static HostCall call(String tool, String arguments) throws IOException {
    return new HostCall(tool, new ObjectMapper().readTree(arguments));
  }

  private static ToolCall reported(String tool, String status) {
    return new ToolCall(
        "t1",
        Map.of(
            "toolName", RawJson.of(TextNode.valueOf(tool)),
            "status", RawJson.of(TextNode.valueOf(status)),
            "executor", RawJson.of(TextNode.valueOf("host_bridge"))));
  }

  private static void callDenied(TaskTools tools, String tool, String arguments)
      throws IOException {
    HostCall call = call(tool, arguments);
    assertThatThrownBy(() -> tools.call(call))
        .isInstanceOf(ToolFailure.class)
        .hasMessageContaining("Not allowed (denied)");
  }

  private TaskTools tools(AskingRules asking) throws IOException, InterruptedException {
    AllowedActions allowed = new AllowedActions(task);
    return new TaskTools(
        task,
        new FolderFiles(RootFolder.of(folder.toRealPath())),
        new CommandRunner(
            AgentLauncher.create(new Spawner(), Optional.empty(), timer),
            new AgentEnvironment(Map.of(), 0),
            timer),
        new TaskReports(
            task, allowed, new SessionCost(), new SkillIds(Skills.none()), served, "run1"),
        served,
        allowed,
        asking);
  }

  private static Decision decision(Decision.Verdict verdict) {
    return new Decision(
        verdict,
        Optional.of("permission_1"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
