package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a worker does when a task is canceled, its lease is lost, the core restarts or the worker
 * closes.
 */
final class LeaseLossIT {
  @RegisterExtension final CoreExtension fake = new CoreExtension(Duration.ofSeconds(1));
  private final FakeCore core = fake.core();
  private final Queue<Object> ended = new ConcurrentLinkedQueue<>();
  private final AtomicInteger runs = new AtomicInteger();

  private TaskResult workForever(TaskContext task) {
    runs.incrementAndGet();
    try {
      task.pause(Duration.ofMinutes(5));
      return TaskResult.of("never");
    } catch (TaskCancelled e) {
      ended.add(e.reason());
      throw e;
    }
  }

  @Test
  void aCancelNoticeStopsTheHandlerAndIsAcknowledgedOnceItHasEnded() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    fake.start(
        task -> {
          runs.incrementAndGet();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.set(task.cancelled());
          }
          leave.await();
          return TaskResult.of("too late");
        });
    String id = core.submitText("x");
    await(() -> runs.get() == 1);
    core.cancel(id, true);
    await(interrupted::get);
    assertThat(core.calls("AcknowledgeCancel")).isZero();
    leave.countDown();
    await(() -> core.ends(id).equals(List.of("canceled")));
    assertThat(core.calls("CompleteTask")).isZero();
  }

  @Test
  void aCancellationThatOnlyTheHeartbeatTellsStopsTheHandlerToo() {
    fake.start(this::workForever);
    String id = core.submitText("x");
    await(() -> runs.get() == 1);
    core.cancel(id, false);
    await(() -> core.ends(id).equals(List.of("canceled")));
    assertThat(ended).containsExactly(TaskCancelled.Reason.CANCEL_REQUESTED);
  }

  @Test
  void heartbeatsKeepALeaseThatLastsShorterThanTheHandler() {
    CountDownLatch go = new CountDownLatch(1);
    fake.start(
        task -> {
          go.await();
          return TaskResult.of("done");
        });
    String id = core.submitText("x");
    await(() -> core.calls("Heartbeat") >= 8);
    go.countDown();
    await(() -> core.ends(id).equals(List.of("completed done")));
  }

  @Test
  void aLeaseThatIsGoneStopsTheHandlerWhichTellsNothingMore() {
    fake.start(this::workForever);
    String id = core.submitText("x");
    await(() -> runs.get() == 1);
    core.takeAway(id, false);
    await(() -> ended.contains(TaskCancelled.Reason.LEASE_LOST));
    core.submitText("x");
    await(() -> runs.get() == 2);
    assertThat(core.calls()).doesNotContain("FailTask", "CompleteTask", "AcknowledgeCancel");
  }

  @Test
  void aCallUnderAnOldFenceStopsTheHandler() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    fake.start(
        fake.worker()
            .slots(1)
            .handler(
                task -> {
                  runs.incrementAndGet();
                  taken.await();
                  try {
                    task.message("here", "Still here.");
                    return TaskResult.of("never");
                  } catch (TaskCancelled e) {
                    ended.add(e.reason());
                    return TaskResult.of("swallowed");
                  }
                }));
    String id = core.submitText("x");
    await(() -> runs.get() == 1);
    core.failNext("Heartbeat", 1000);
    core.takeAway(id, false);
    taken.countDown();
    await(() -> ended.contains(TaskCancelled.Reason.LEASE_LOST));
    await(() -> core.wanted() == 1);
    assertThat(core.ends(id)).isEmpty();
    assertThat(core.calls()).doesNotContain("FailTask", "CompleteTask");
  }

  @Test
  void aWorkerThatCannotReachTheCoreForALeaseStopsItsHandlerByItself() {
    fake.start(this::workForever);
    core.submitText("x");
    await(() -> runs.get() == 1);
    core.failNext("Heartbeat", 1000);
    await(() -> ended.contains(TaskCancelled.Reason.LEASE_LOST));
  }

  @Test
  void aTaskThatComesBackToTheSameWorkerRunsOnceMoreAndTheOldRunIsStopped() {
    fake.start(this::workForever);
    String id = core.submitText("x");
    await(() -> runs.get() == 1);
    core.takeAway(id, true);
    await(() -> runs.get() == 2 && ended.contains(TaskCancelled.Reason.LEASE_LOST));
    core.cancel(id, true);
    await(() -> core.ends(id).equals(List.of("canceled")));
  }

  @Test
  void aBrokenStreamIsOpenedAgainWhileWhatRunsGoesOn() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    fake.start(
        fake.worker()
            .slots(2)
            .handler(
                task -> {
                  runs.incrementAndGet();
                  go.await();
                  return TaskResult.of("done");
                }));
    String held = core.submitText("x");
    await(() -> runs.get() == 1);
    core.dropStream();
    String next = core.submitText("x");
    await(() -> runs.get() == 2);
    go.countDown();
    await(() -> core.ends(held).equals(List.of("completed done")));
    await(() -> core.ends(next).equals(List.of("completed done")));
    assertThat(core.calls("LeaseTasks")).isEqualTo(2);
    await(() -> core.wanted() == 2);
  }

  @Test
  void aRestartOfTheServerIsSurvived() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    fake.start(
        task -> {
          runs.incrementAndGet();
          go.await();
          task.message("hello", "Hello.");
          return TaskResult.of("done");
        });
    String held = core.submitText("x");
    await(() -> runs.get() == 1);
    fake.stopServer();
    go.countDown();
    fake.startServer();
    await(() -> core.calls("LeaseTasks") == 2);
    String next = core.submitText("x");
    await(() -> core.ends(held).equals(List.of("completed done")));
    await(() -> core.ends(next).equals(List.of("completed done")));
    assertThat(runs).hasValue(2);
  }

  @Test
  void aClosingWorkerLetsItsHandlersFinish() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Worker worker =
        fake.start(
            fake.worker()
                .closeGrace(Duration.ofSeconds(20))
                .handler(
                    task -> {
                      runs.incrementAndGet();
                      go.await();
                      return TaskResult.of("done");
                    }));
    String id = core.submitText("x");
    await(() -> runs.get() == 1);
    Thread closing = new Thread(worker::close);
    closing.start();
    await(() -> core.wanted() == 0);
    go.countDown();
    closing.join(20_000);
    assertThat(closing.isAlive()).isFalse();
    assertThat(core.ends(id)).containsExactly("completed done");
    core.submitText("x");
    assertThat(runs).hasValue(1);
  }

  @Test
  void aClosingWorkerGivesBackWhatDoesNotFinishInTime() {
    Worker worker =
        fake.start(fake.worker().closeGrace(Duration.ofMillis(50)).handler(this::workForever));
    String id = core.submitText("x");
    await(() -> runs.get() == 1);
    worker.close();
    assertThat(ended).containsExactly(TaskCancelled.Reason.WORKER_CLOSING);
    assertThat(core.calls("FailTask")).isEqualTo(1);
    fake.start(task -> TaskResult.of("done by another in attempt " + task.attempt()));
    await(() -> core.ends(id).equals(List.of("completed done by another in attempt 2")));
  }
}
