package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.PermissionVerdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a handler has a client run a tool. */
final class HostToolIT {
  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(1));
  private final FakeCore core = fake.core();
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void aHandlerEndsUntilItIsDecidedAndUntilTheClientHasAnswered() {
    String id = submit(Duration.ZERO);
    await(() -> core.question(id).equals("Show it."));
    assertThat(core.state(id)).isEqualTo(LeaseState.LEASE_STATE_FREE);
    core.decide(id, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    await(() -> core.calls("RequestInput") == 2 && core.state(id) == LeaseState.LEASE_STATE_FREE);
    core.ran(id, true, "\"opened\"");
    await(() -> core.ends(id).equals(List.of("completed opened")));
    assertThat(runs).hasValue(3);
    assertThat(core.calls("RequestInput")).as("the result came with the steps").isEqualTo(2);
  }

  @Test
  void aParkedHandlerStaysForBoth() {
    String id = submit(Duration.ofMinutes(1));
    await(() -> core.state(id) == LeaseState.LEASE_STATE_PARKED);
    core.decide(id, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    await(() -> core.calls("RequestInput") == 2 && core.state(id) == LeaseState.LEASE_STATE_PARKED);
    core.ran(id, true, "\"opened\"");
    await(() -> core.ends(id).equals(List.of("completed opened")));
    assertThat(runs).hasValue(1);
    await(() -> core.wanted() == 1);
  }

  @Test
  void whatIsRefusedFailsOrRunsOutOfTimeFailsWithACodeOfItsOwn() {
    String denied = submit(Duration.ZERO);
    await(() -> core.question(denied).equals("Show it."));
    core.decide(denied, PermissionVerdict.PERMISSION_VERDICT_DENIED);
    await(() -> ended(denied, "permission_denied"));
    String late = allowed();
    core.timeOut(late);
    await(() -> ended(late, "tool_timed_out"));
    String failed = allowed();
    core.ran(failed, false, "{\"no\":1}");
    await(() -> ended(failed, "tool_failed"));
  }

  private String allowed() {
    String id = core.submitText("x");
    await(() -> core.question(id).equals("Show it."));
    core.decide(id, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    await(() -> core.hasPending(id) && core.state(id) == LeaseState.LEASE_STATE_FREE);
    return id;
  }

  private boolean ended(String id, String code) {
    return core.ends(id).stream().anyMatch(end -> end.contains(code));
  }

  private String submit(Duration hold) {
    fake.start(fake.worker().slots(1).handler(task -> open(task, hold)));
    return core.submitText("x");
  }

  private TaskResult open(TaskContext task, Duration hold) throws TaskFailure {
    runs.incrementAndGet();
    var input = Json.MAPPER.createObjectNode().put("path", "a");
    HostResult result =
        task.hostTool("open", HostTool.of("open_file", input, "Show it.").holding(hold));
    return TaskResult.of(result.needDone().asText());
  }
}
