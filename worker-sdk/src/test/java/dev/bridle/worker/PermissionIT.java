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

/** How a handler asks before it acts. */
final class PermissionIT {
  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(1));
  private final FakeCore core = fake.core();
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void aHandlerThatAsksEndsAndActsOnTheNextRun() {
    fake.start(fake.worker().slots(1).handler(task -> act(task, Duration.ZERO)));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("May I?"));
    assertThat(core.state(id)).isEqualTo(LeaseState.LEASE_STATE_FREE);
    core.decide(id, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(runs).hasValue(2);
    assertThat(core.calls("RequestPermission")).as("asked in each run").isEqualTo(2);
  }

  @Test
  void aParkedHandlerGoesOnWhereItWas() {
    fake.start(fake.worker().slots(1).handler(task -> act(task, Duration.ofMinutes(1))));
    String id = core.submitText("x");
    await(() -> core.state(id) == LeaseState.LEASE_STATE_PARKED);
    core.decide(id, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(runs).hasValue(1);
  }

  @Test
  void whatIsDeniedOrNotDecidedFailsWithACodeOfItsOwn() {
    fake.start(fake.worker().slots(1).handler(task -> act(task, Duration.ZERO)));
    String denied = core.submitText("x");
    await(() -> core.question(denied).equals("May I?"));
    core.decide(denied, PermissionVerdict.PERMISSION_VERDICT_DENIED);
    await(() -> core.ends(denied).stream().anyMatch(end -> end.contains("permission_denied")));
    String late = core.submitText("x");
    await(() -> core.question(late).equals("May I?"));
    core.decide(late, PermissionVerdict.PERMISSION_VERDICT_EXPIRED);
    await(() -> core.ends(late).stream().anyMatch(end -> end.contains("permission_expired")));
  }

  private TaskResult act(TaskContext task, Duration hold) throws Exception {
    runs.incrementAndGet();
    var content = Json.MAPPER.createObjectNode().put("command", "ls");
    String done =
        task.step(
            "acted",
            String.class,
            () -> {
              Permission permission = Permission.of("command", content, "May I?").holding(hold);
              task.requestPermission("may", permission).needAllowed();
              return "done";
            });
    return TaskResult.of(done);
  }
}
