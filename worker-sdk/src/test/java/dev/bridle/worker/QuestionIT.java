package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.worker.v1.LeaseState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a handler asks its task's user. */
final class QuestionIT {
  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(1));
  private final FakeCore core = fake.core();
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void aHandlerThatAsksEndsAndGetsTheAnswerOnTheNextRun() {
    fake.start(fake.worker().slots(1).handler(task -> ask(task, Duration.ZERO)));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("How many?"));
    assertThat(core.state(id)).isEqualTo(LeaseState.LEASE_STATE_FREE);
    await(() -> core.wanted() == 1);
    core.answer(id, "seven");
    await(() -> core.ends(id).equals(List.of("completed seven")));
    assertThat(runs).hasValue(2);
    assertThat(core.calls("RequestInput"))
        .as("the answer came with the recorded steps")
        .isEqualTo(1);
  }

  @Test
  void aParkedHandlerStaysForTheAnswerAndLeavesItsSlotToOthers() {
    fake.start(fake.worker().slots(1).handler(task -> ask(task, Duration.ofMinutes(1))));
    String first = core.submitText("x");
    await(() -> core.state(first) == LeaseState.LEASE_STATE_PARKED);
    String second = core.submitText("x");
    await(() -> core.state(second) == LeaseState.LEASE_STATE_PARKED);
    core.answer(first, "seven");
    core.answer(second, "eight");
    await(() -> core.ends(first).equals(List.of("completed seven")));
    await(() -> core.ends(second).equals(List.of("completed eight")));
    assertThat(runs).as("nobody ran twice").hasValue(2);
    await(() -> core.wanted() == 1);
  }

  @Test
  void aParkedHandlerThatLostItsLeaseStopsAndTheNextRunGetsTheAnswer() {
    fake.start(fake.worker().slots(1).handler(task -> ask(task, Duration.ofMinutes(1))));
    String id = core.submitText("x");
    await(() -> core.state(id) == LeaseState.LEASE_STATE_PARKED);
    core.takeAway(id, false);
    core.answer(id, "seven");
    await(() -> core.ends(id).equals(List.of("completed seven")));
    assertThat(runs).hasValue(2);
    await(() -> core.wanted() == 1);
  }

  @Test
  void aParkedHandlerWaitsForAnAnswerThatFreesItsLeaseBeforeItBringsTheNext() {
    fake.start(fake.worker().slots(1).handler(task -> ask(task, Duration.ofMinutes(1))));
    String id = core.submitText("x");
    await(() -> core.state(id) == LeaseState.LEASE_STATE_PARKED);
    long before = core.calls("Heartbeat");
    core.takeAway(id, false);
    await(() -> core.calls("Heartbeat") > before);
    core.answerParked(id, "seven");
    await(() -> core.ends(id).equals(List.of("completed seven")));
    assertThat(runs).hasValue(1);
  }

  @Test
  void aClosingWorkerDoesNotWaitForAnswers() {
    Worker worker =
        fake.start(
            fake.worker()
                .closeGrace(Duration.ofMinutes(1))
                .handler(task -> ask(task, Duration.ofMinutes(1))));
    String id = core.submitText("x");
    await(() -> core.state(id) == LeaseState.LEASE_STATE_PARKED);
    worker.close();
    assertThat(core.calls()).doesNotContain("FailTask", "CompleteTask");
  }

  @Test
  void aQuestionIsAskedAgainWhereItsAnswerWasLost() {
    core.failNext("RequestInput", 2);
    fake.start(task -> ask(task, Duration.ZERO));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("How many?"));
    assertThat(core.calls("RequestInput")).isEqualTo(3);
  }

  @Test
  void aHandlerThatSwallowsItsSuspensionTellsNothing() {
    fake.start(
        task -> {
          try {
            return ask(task, Duration.ZERO);
          } catch (TaskSuspended e) {
            return TaskResult.of("made up");
          }
        });
    String id = core.submitText("x");
    await(() -> core.question(id).equals("How many?"));
    core.answer(id, "seven");
    await(() -> core.ends(id).equals(List.of("completed seven")));
    assertThat(core.calls("CompleteTask")).isEqualTo(1);
  }

  private TaskResult ask(TaskContext task, Duration hold) {
    runs.incrementAndGet();
    var answer = task.requestInput("q", Question.of("How many?").holding(hold));
    return TaskResult.of(GivenInput.textOf(answer).orElseThrow());
  }
}
