package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.worker.Decision;
import dev.bridle.worker.TaskContext;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What a later run of a task finds out of what earlier ones were allowed. */
final class AllowedActionsTest {
  private static final String STEP = "host:run_command:run1:1";

  private final Map<String, JsonNode> steps = new HashMap<>();
  private final List<String> events = new ArrayList<>();

  private final TaskContext task =
      (TaskContext)
          Proxy.newProxyInstance(
              AllowedActionsTest.class.getClassLoader(),
              new Class<?>[] {TaskContext.class},
              (self, method, arguments) -> {
                String key = (String) arguments[0];
                return switch (method.getName()) {
                  case "recorded" -> steps.containsKey(key);
                  case "step" -> {
                    if (!steps.containsKey(key)) {
                      steps.put(key, (JsonNode) ((Callable<?>) arguments[1]).call());
                    }
                    yield steps.get(key);
                  }
                  case "event" -> events.add(key + " " + arguments[1] + " " + arguments[2]);
                  default -> throw new AssertionError(method);
                };
              });

  private static Decision approved() {
    return new Decision(
        Decision.Verdict.ALLOWED,
        Optional.of("permission_1"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private AllowedActions laterRun() {
    AllowedActions later = new AllowedActions(task);
    later.takeUp();
    return later;
  }

  @Test
  void anActionOfTheHostThatWasUnderWayIsUnknown() {
    new AllowedActions(task).begin(STEP, approved(), "Run it");

    assertThat(laterRun().unknown()).containsExactly("Run it");
    assertThat(events)
        .singleElement()
        .asString()
        .contains(
            HostEvents.OUTCOME_UNKNOWN,
            "\"title\":\"Run it\"",
            "\"permission_request_id\":\"permission_1\"");
  }

  @Test
  void anActionOfTheHostWhoseResultIsRecordedIsKnown() throws Exception {
    AllowedActions allowed = new AllowedActions(task);
    allowed.begin(STEP, approved(), "Run it");
    var unused = task.step(STEP, () -> null);
    assertThat(allowed.settle(STEP)).isPresent();
    allowed.lose();

    assertThat(laterRun().unknown()).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  void anActionOfTheHostIsUnknownOnceWhereTheTaskGoesOn() {
    AllowedActions allowed = new AllowedActions(task);
    allowed.begin(STEP, approved(), "Run it");
    allowed.lose();
    allowed.lose();

    assertThat(allowed.unknown()).containsExactly("Run it");
    assertThat(events).hasSize(1);
  }
}
