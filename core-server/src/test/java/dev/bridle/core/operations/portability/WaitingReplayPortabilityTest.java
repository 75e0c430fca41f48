package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.HandlerDeterminism;
import dev.bridle.worker.v1.HandlerInfo;
import dev.bridle.worker.v1.LeaseHello;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay that waits for a worker moves to another server, where its wait begins anew. */
final class WaitingReplayPortabilityTest {
  @TempDir private Path directory;

  @Test
  void anImportedReplayWaitsForAWorkerFromItsTakeoverOn() {
    try (TestCore source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
        TestCore target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT)) {
      String replay = waiting(source);
      long until = source.record(replay).getQueue().getWaitsUntil();
      assertThat(until).isPositive();
      byte[] file = Transfer.tenant(source);

      Transfer.load(target, file);
      assertThat(target.record(replay).hasQueue()).as("it is parked").isFalse();
      Transfer.load(target, file, Transfer.into("default").setTakeOver(true));

      assertThat(target.record(replay).getQueue().getWaitsUntil()).isGreaterThan(until);
    } // Each looks whether what it leaves fits together.
  }

  private static String waiting(TestCore core) {
    LeaseHello.Builder hello =
        LeaseHello.newBuilder()
            .setWorkerId("w1")
            .setHandler(
                HandlerInfo.newBuilder()
                    .setName("writer")
                    .setDeterminism(HandlerDeterminism.HANDLER_DETERMINISM_RECORDED));
    Task task = core.submit(core.newSession());
    try (TestWorker worker = new TestWorker(core.owner(), hello)) {
      worker.want(1);
      var unused =
          core.workers()
              .completeTask(WorkerRequests.complete(worker.lease()).setSummary("done").build());
    }
    return ReplayServiceGrpc.newBlockingStub(core.owner())
        .replayTask(
            ReplayTaskRequest.newBuilder()
                .setTaskId(task.getId())
                .setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE)
                .build())
        .getId();
  }
}
