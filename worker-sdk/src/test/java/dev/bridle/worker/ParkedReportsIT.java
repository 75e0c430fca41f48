package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.worker.v1.LeaseState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** When reports of a handler that is parked reach the core, and of its threads meanwhile. */
final class ParkedReportsIT extends ReportingHandlers {
  @Test
  void aParkedHandlerGoesOnReportingUnderItsNewLease() {
    fake.start(
        fake.worker()
            .handler(
                task -> {
                  task.progress("begin");
                  task.requestInput("q", Question.of("How many?").holding(Duration.ofMinutes(1)));
                  task.progress("end");
                  return TaskResult.of("done");
                }));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("How many?"));
    core.answer(id, "seven");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports()).containsExactly("progress:1", "progress:2");
  }

  @Test
  void aParkedHandlerThatGoesOnUnderAnOlderCoreSendsEachReportByItself() {
    fake.start(
        slowly(
            task -> {
              task.progress("begin");
              task.requestInput("q", Question.of("How many?").holding(Duration.ofMinutes(1)));
              task.progress("half");
              task.progress("end");
              return TaskResult.of("done");
            }));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("How many?"));
    core.takeNoEarlierReports();
    core.answer(id, "seven");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports()).containsExactly("progress:1", "progress:2", "progress:3");
    assertThat(core.calls("ReportStep")).isEqualTo(2);
  }

  @Test
  void whatAnotherThreadReportsWhileTheHandlerIsParkedReachesTheCore() {
    core.takeReportsWhileParked();
    CountDownLatch parked = new CountDownLatch(1);
    startParked(
        parked,
        task -> {
          task.progress("meanwhile");
          task.message("said", "While it waits.");
        });
    String id = core.submitText("x");
    await(() -> core.state(id) == LeaseState.LEASE_STATE_PARKED);
    parked.countDown();
    await(() -> core.appliedReports().equals(List.of("progress:1", "said")));
    core.answer(id, "this");
    await(() -> core.ends(id).equals(List.of("completed done")));
  }

  @Test
  void aReportBetweenTheAnswerAndTheNextLeaseIsMadeUnderThatLease() {
    core.takeReportsWhileParked();
    CountDownLatch freed = new CountDownLatch(1);
    startParked(
        freed,
        task -> {
          task.message("said", "Between the leases.");
        });
    String id = core.submitText("x");
    await(() -> core.state(id) == LeaseState.LEASE_STATE_PARKED);
    core.takeAway(id, false);
    freed.countDown();
    await(() -> core.calls("ReportStep") > 0);
    core.answerParked(id, "this");
    await(() -> core.ends(id).equals(List.of("completed done")));
    assertThat(core.appliedReports()).containsExactly("said");
  }

  @Test
  void aProcessThatStopsAfterACancellationReportsItsLast() {
    core.takeReportsWhileParked();
    List<String> refused = new CopyOnWriteArrayList<>();
    fake.start(
        fake.worker()
            .worksWhileParked()
            .handler(
                task -> {
                  try {
                    task.requestInput("q", Question.of("Which?").holding(Duration.ofMinutes(1)));
                  } catch (TaskCancelled e) {
                    task.progress("stopping");
                    task.message("last", "Stopped.");
                    task.keepSessionState(new byte[] {1});
                    try {
                      task.step("more", Integer.class, () -> 1);
                    } catch (TaskCancelled again) {
                      refused.add("more");
                    }
                  }
                  return TaskResult.of("done");
                }));
    String id = core.submitText("x");
    await(() -> core.state(id) == LeaseState.LEASE_STATE_PARKED);
    core.cancel(id, true);
    await(() -> core.ends(id).equals(List.of("canceled")));
    assertThat(core.appliedReports()).containsExactly("progress:1", "last");
    assertThat(core.sessionState()).isPresent();
    assertThat(refused).containsExactly("more");
  }

  /** Starts a worker whose task asks a question, and a thread that reports meanwhile. */
  private void startParked(CountDownLatch from, Consumer<TaskContext> reports) {
    fake.start(
        fake.worker()
            .worksWhileParked()
            .handler(
                task -> {
                  Thread agent =
                      new Thread(
                          () -> {
                            awaitLatch(from);
                            reports.accept(task);
                          });
                  agent.start();
                  task.requestInput("q", Question.of("Which?").holding(Duration.ofMinutes(1)));
                  agent.join();
                  return TaskResult.of("done");
                }));
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
