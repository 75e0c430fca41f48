package dev.bridle.core.work.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.record.v1.QueuePlace;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerBinding;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Replays whose handler is to run, while no worker is there that runs it. */
final class ReplayWaitTest extends ExecutedTasks {
  private static final Duration MOST = Duration.ofMinutes(2);
  private static final String NOBODY =
      "host:worker: no worker of tasks without an agent that runs replays has taken it within"
          + " 2 minutes";

  private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
  private final Clock clock =
      ((InstantSource) () -> Instant.now().plus(later.get())).withZone(ZoneOffset.UTC);

  @Override
  protected TestCore start() {
    return TestCore.start(directory, clock);
  }

  @Test
  void aReplayThatNoWorkerTakesFailsOnceAndByName() {
    Task replay = replay(completed());

    Task failed = failedInTime(replay);

    assertThat(failed.getFailure().getCode()).isEqualTo("replay_unavailable");
    assertThat(failed.getFailure().getMessage()).isEqualTo(NOBODY);
    assertThat(kinds(failed)).containsExactly("task.submitted", "replay.failed", "task.failed");
    assertThat(payloads(failed, "replay.failed"))
        .containsExactly("{\"code\":\"replay_unavailable\",\"what\":\"" + NOBODY + "\"}");
    assertThat(waits()).isEmpty();
    replays.want(1);
    assertThat(replays.next(Duration.ofMillis(300))).isEmpty();
  }

  @Test
  void theAgentWhoseWorkerIsMissingIsNamed() {
    var unused =
        core.workers()
            .registerWorker(
                RegisterWorkerRequest.newBuilder()
                    .setAgentId("writer")
                    .addBindings(WorkerBinding.newBuilder().setWorkspaceId("default"))
                    .build());
    try (TestWorker of = new TestWorker(core.owner(), hello().setAgentId("writer"))) {
      Task source = task();
      complete(lease(of, source), "done");
      Task replay = replay(source);

      assertThat(failedInTime(replay).getFailure().getMessage())
          .startsWith("host:worker:writer: no worker of this agent that runs replays ");
    }
  }

  @Test
  void aReplayThatAWorkerHasTakenDoesNotWaitAnyMore() {
    Task source = completed();
    Task replay = replay(source);
    TaskLease lease = lease(replays, replay);
    assertThat(waits()).isEmpty();

    failedInTime(replay(source)); // By now, all that was due has been seen.
    complete(lease, "done");
    assertThat(core.record(replay.getId()).getQueue().getWaitsUntil()).isZero();
    failedInTime(replay(source));

    assertThat(ended(replay).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    assertThat(payloads(replay, "replay.failed")).isEmpty();
  }

  @Test
  void aReplayWhoseWorkerIsLostWaitsAnewAndNotForever() {
    Task replay = replay(completed());
    QueuePlace first = core.record(replay.getId()).getQueue();
    pass(Duration.ofSeconds(90));
    TaskLease lease = lease(replays, replay);

    fail(lease, true);

    QueuePlace second = core.record(replay.getId()).getQueue();
    assertThat(second.getWaitsUntil()).isEqualTo(second.getWaitsSince() + MOST.toMillis());
    assertThat(second.getWaitsSince()).isGreaterThan(first.getWaitsSince() + 89_000);
    assertThat(waits()).extracting(DueEntry::dueMillis).containsExactly(second.getWaitsUntil());
    Task failed = failedInTime(replay);
    assertThat(failed.getFailure().getMessage()).isEqualTo(NOBODY);
    assertThat(kinds(failed))
        .containsExactly(
            "task.submitted",
            "task.started",
            "vendor.bridle.attempt_ended",
            "replay.failed",
            "task.failed");
  }

  @Test
  void aReplayThatWasCanceledDoesNotFail() {
    Task source = completed();
    Task canceled = cancel(replay(source).getId());
    assertThat(waits()).isEmpty();

    failedInTime(replay(source));

    assertThat(core.task(canceled.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    assertThat(kinds(canceled)).doesNotContain("replay.failed");
  }

  @Test
  void aReplayStillFailsAfterARestart() {
    Task replay = replay(completed());
    String key = core.key();
    core.close();
    later.set(MOST.plusSeconds(1));

    core = TestCore.restart(directory, clock, key);

    assertThat(awaitFailed(replay).getFailure().getMessage()).isEqualTo(NOBODY);
    assertThat(payloads(replay, "replay.failed")).hasSize(1);
  }

  @Test
  void whatNoWorkerTookIsTriedAgainByTheNextRequest() {
    Task source = completed();
    failedInTime(replay(source));

    Task again = replay(source);
    complete(lease(replays, again), "done");

    assertThat(ended(again).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
  }

  @Test
  void aWaitIsBetweenASecondAndADay() {
    for (Duration wrong :
        List.of(Duration.ZERO, Duration.ofMillis(999), Duration.ofHours(24).plusMillis(1))) {
      assertThatThrownBy(() -> new ReplayOptions(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("worker wait");
    }
  }

  private Task failedInTime(Task replay) {
    assertThat(core.task(replay.getId()).getStatus()).isNotEqualTo(TaskStatus.TASK_STATUS_FAILED);
    pass(MOST.plusMillis(1));
    return awaitFailed(replay);
  }

  private Task awaitFailed(Task replay) {
    await().until(() -> core.task(replay.getId()).getStatus() == TaskStatus.TASK_STATUS_FAILED);
    return core.task(replay.getId());
  }

  private void pass(Duration time) {
    later.updateAndGet(time::plus);
  }

  private List<DueEntry> waits() {
    DueIndex due = new DueIndex(KeyLayout.root());
    return core.store()
        .read(
            tr ->
                IntStream.range(0, DueIndex.SHARDS)
                    .boxed()
                    .flatMap(shard -> due.scan(tr, shard, List.of(), 1000).stream())
                    .filter(entry -> entry.kind() == DueKind.REPLAY_WORKER)
                    .toList());
  }
}
