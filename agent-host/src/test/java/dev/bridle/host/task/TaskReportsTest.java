package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.acp.SessionUpdate.Voice;
import dev.bridle.worker.TaskContext;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The steps that reports of an agent make. */
final class TaskReportsTest {
  private final List<String> keys = new ArrayList<>();

  private final TaskContext task =
      (TaskContext)
          Proxy.newProxyInstance(
              TaskReportsTest.class.getClassLoader(),
              new Class<?>[] {TaskContext.class},
              (self, method, arguments) -> {
                keys.add((String) arguments[0]);
                return null;
              });

  @Test
  void eachPieceOfALongAnswerIsAStepThatALaterRunDoesNotRead() {
    TaskReports reports =
        new TaskReports(task, new AllowedActions(task), new SessionCost(), "run1");

    for (int i = 0; i < 10_000; i++) {
      reports.add(new SessionUpdate.Text(Voice.AGENT, "m", i, "x"));
      reports.add(new SessionUpdate.Text(Voice.THOUGHT, "t", i, "y"));
    }

    assertThat(keys).hasSize(20_000).allMatch(key -> key.startsWith(TaskReports.EVENT_KEYS));
    assertThat(new HashSet<>(keys)).hasSameSizeAs(keys);
    assertThat(keys).allMatch(key -> key.contains(":run1:"));
  }
}
