package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
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

  private static ToolCall call(String status) {
    return new ToolCall("call_1", Map.of("status", RawJson.of(TextNode.valueOf(status))));
  }

  @Test
  void anIdThatIsUsedAgainIsAnotherCall() {
    AllowedActions allowed = new AllowedActions(task);
    assertThat(allowed.reported(call("pending"))).isFalse();
    assertThat(allowed.asked("call_1")).isFalse();
    allowed.allow("call_1", approved(), "Run it");
    assertThat(allowed.reported(call("in_progress"))).isFalse();
    assertThat(allowed.reported(call("completed"))).isFalse();
    assertThat(allowed.isKnown("call_1")).isTrue();

    assertThat(allowed.reported(call("in_progress"))).as("begins again").isTrue();
    assertThat(allowed.isKnown("call_1")).as("the second").isFalse();
    assertThat(allowed.has("call_1")).as("the first, which is yet to be judged").isTrue();
    allowed.forget("call_1");
    assertThat(allowed.has("call_1")).as("the second").isFalse();

    assertThat(allowed.asked("call_1")).isFalse();
    allowed.allow("call_1", approved(), "Run it");
    assertThat(allowed.has("call_1") && allowed.isKnown("call_1")).as("allowed again").isTrue();
  }

  @Test
  void aQuestionAfterTheEndIsAboutAnotherCallWhichThenBegins() {
    AllowedActions allowed = new AllowedActions(task);
    assertThat(allowed.asked("call_1")).isFalse();
    allowed.allow("call_1", approved(), "Run it");
    assertThat(allowed.reported(call("completed"))).isFalse();

    assertThat(allowed.asked("call_1")).isTrue();
    allowed.forget("call_1");
    allowed.allow("call_1", approved(), "Run it");
    assertThat(allowed.reported(call("in_progress"))).isFalse();
    assertThat(allowed.isKnown("call_1")).isTrue();
  }

  @Test
  void aCallThatIsReportedAsEndedTwiceIsTheSame() {
    AllowedActions allowed = new AllowedActions(task);
    assertThat(allowed.asked("call_1")).isFalse();
    allowed.allow("call_1", approved(), "Run it");

    assertThat(allowed.reported(call("completed"))).isFalse();
    assertThat(allowed.reported(call("failed"))).isFalse();
    assertThat(allowed.reported(call("completed"))).isFalse();
    assertThat(allowed.has("call_1") && allowed.isKnown("call_1")).isTrue();
  }

  @Test
  void anAnswerThatTheAgentDidNotWaitForIsNoneForTheNextCallOfTheId() {
    AllowedActions allowed = new AllowedActions(task);
    assertThat(allowed.asked("call_1")).isFalse();
    assertThat(allowed.reported(call("completed"))).isFalse();
    assertThat(allowed.reported(call("in_progress"))).isTrue();
    allowed.allow("call_1", approved(), "Run it");

    assertThat(allowed.has("call_1")).as("the first").isTrue();
    assertThat(allowed.isKnown("call_1")).as("the second").isFalse();
    allowed.forget("call_1");
    assertThat(allowed.has("call_1")).as("the second").isFalse();
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
