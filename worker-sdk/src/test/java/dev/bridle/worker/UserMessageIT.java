package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.task.v1.TaskMessageMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages of the user to a task that its handler works on. */
final class UserMessageIT {
  private static final TaskMessageMode FINISH_STEP = TaskMessageMode.TASK_MESSAGE_MODE_FINISH_STEP;
  private static final TaskMessageMode INTERRUPT =
      TaskMessageMode.TASK_MESSAGE_MODE_INTERRUPT_IMMEDIATE;

  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(1));
  private final FakeCore core = fake.core();
  private final AtomicInteger runs = new AtomicInteger();

  private void start(TaskHandler handler) {
    fake.start(fake.worker().slots(1).takesMessages().handler(handler));
  }

  private String leased() {
    String id = core.submitText("x");
    await(() -> runs.get() > 0);
    return id;
  }

  /** Takes messages until a number of them has come, and says what it was told. */
  private TaskResult listen(TaskContext task, int count) throws InterruptedException {
    BlockingQueue<String> woken = new LinkedBlockingQueue<>();
    task.onMessage(() -> woken.add("woken"));
    runs.incrementAndGet();
    List<String> said = new ArrayList<>();
    while (said.size() < count) {
      assertThat(woken.poll(60, TimeUnit.SECONDS)).isNotNull();
      for (Optional<SentMessage> next = task.nextMessage();
          next.isPresent();
          next = task.nextMessage()) {
        said.add(next.get().text() + (next.get().interrupts() ? "!" : ""));
      }
    }
    return TaskResult.of(String.join(", ", said));
  }

  @Test
  void theHandlerTakesThemInTheirOrder() {
    start(task -> listen(task, 2));
    String id = leased();
    core.say(id, "one", FINISH_STEP, true);
    core.say(id, "two", INTERRUPT, true);

    assertThat(fake.end(id)).isEqualTo("completed one, two!");
  }

  @Test
  void oneWhoseNoticeIsLostComesWithAHeartbeat() {
    start(task -> listen(task, 1));
    String id = leased();
    core.say(id, "one", INTERRUPT, false);

    assertThat(fake.end(id)).isEqualTo("completed one!");
  }

  @Test
  void theCoreIsNotAskedWhereNobodySaysAnything() {
    start(
        task -> {
          assertThat(task.nextMessage()).isEmpty();
          assertThat(task.takenMessages()).isEmpty();
          return TaskResult.of("done");
        });

    assertThat(fake.end(core.submitText("x"))).isEqualTo("completed done");
    assertThat(core.calls("TakeMessages")).isZero();
  }

  @Test
  void whatARunHasTakenIsNotDeliveredToTheNext() {
    start(
        task -> {
          if (task.attempt() == 1) {
            var unused = listen(task, 1);
            throw new IllegalStateException("the first run ends early");
          }
          List<String> taken = task.takenMessages().stream().map(SentMessage::text).toList();
          return TaskResult.of(taken + " " + listen(task, 1).summary());
        });
    String id = leased();
    core.say(id, "one", FINISH_STEP, true);
    await(() -> runs.get() == 2);
    core.say(id, "two", FINISH_STEP, true);

    assertThat(fake.end(id)).isEqualTo("completed [one] two");
  }

  @Test
  void aTaskDoesNotEndBeforeItsHandlerHasTakenThem() {
    start(
        task -> {
          runs.incrementAndGet();
          core.say(task.task().getId(), "late", FINISH_STEP, false);
          TaskResult result = TaskResult.of("early");
          while (!task.complete(result)) {
            result = TaskResult.of(task.nextMessage().orElseThrow().text());
          }
          return result;
        });

    assertThat(fake.end(leased())).isEqualTo("completed late");
  }

  @Test
  void aHandlerThatOnlyReturnsEndsTheTaskWhateverWaits() {
    start(
        task -> {
          runs.incrementAndGet();
          core.say(task.task().getId(), "late", FINISH_STEP, false);
          return TaskResult.of("done");
        });

    assertThat(fake.end(leased())).isEqualTo("completed done");
  }
}
