package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.host.bridge.Skills;
import dev.bridle.host.bridge.ToolFailure;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How people are asked before the host writes or runs something for an agent. */
final class TaskToolsTest {
  @TempDir private Path folder;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<Permission> asked = new ArrayList<>();

  /** A task in which people deny everything. */
  private final TaskContext task =
      (TaskContext)
          Proxy.newProxyInstance(
              TaskToolsTest.class.getClassLoader(),
              new Class<?>[] {TaskContext.class},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "step" -> ((Callable<?>) arguments[1]).call();
                    case "requestPermission" -> {
                      asked.add((Permission) arguments[1]);
                      yield denied();
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
        tools(new AskingRules(true, false, Duration.ZERO, sessionGrantsOnly, signedOnly));

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

  private static void callDenied(TaskTools tools, String tool, String arguments)
      throws IOException {
    HostCall call = new HostCall(tool, new ObjectMapper().readTree(arguments));
    assertThatThrownBy(() -> tools.call(call))
        .isInstanceOf(ToolFailure.class)
        .hasMessageContaining("Not allowed (denied)");
  }

  private TaskTools tools(AskingRules asking) throws IOException, InterruptedException {
    AllowedActions allowed = new AllowedActions(task);
    ServedCalls served = new ServedCalls();
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

  private static Decision denied() {
    return new Decision(
        Decision.Verdict.DENIED,
        Optional.of("permission_1"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
