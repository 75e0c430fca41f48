package dev.bridle.core.operations.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.artifact.Uploading;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckUnderLoadTest {
  private static final int TASKS = 40;

  @TempDir Path directory;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger ended = new AtomicInteger();

  @Test
  void aServerAtWorkIsCheckedWithoutFalseFindings() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (TestCore core = TestCore.start(directory, TestCore.SHORT)) {
      List<Future<Boolean>> load = new ArrayList<>();
      Submitting submitting = new Submitting(core);
      load.add(threads.submit(repeat(() -> whileFew(submitting.count, submitting::once))));
      AtomicInteger uploads = new AtomicInteger();
      load.add(
          threads.submit(
              repeat(() -> whileFew(3 * uploads.getAndIncrement(), new Uploads(core)::once))));
      load.add(threads.submit(repeat(new Working(core, "w1")::once)));
      load.add(threads.submit(repeat(new Working(core, "w2")::once)));
      StorageChecker checker =
          new StorageChecker(core.store(), KeyLayout.root(), CoreRecords.CATALOG);
      int checks = 0;
      while (checks < 3 || ended.get() < TASKS) {
        assertThat(checker.check(CheckProgress.SILENT).findings())
            .as("check %d", ++checks)
            .isEmpty();
      }
      over.set(true);
      for (Future<Boolean> each : load) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
  }

  @Test
  void aReceiptWhoseKeyIsMadeDuringTheCheckIsNoFinding() throws Exception {
    try (TestCore core = TestCore.start(directory, TestCore.SHORT)) {
      String task = core.tasks().submitSessionTask(TestCore.submission(core.newSession())).getId();
      AtomicInteger receipts = new AtomicInteger();
      CheckProgress ending =
          new CheckProgress() {
            @Override
            public void at(String step, long rows) {
              if (step.equals("receipts of default") && receipts.getAndIncrement() == 0) {
                core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
              }
            }
          };
      StorageChecker checker =
          new StorageChecker(core.store(), KeyLayout.root(), CoreRecords.CATALOG);
      assertThat(checker.check(ending).findings()).isEmpty();
      assertThat(receipts).hasPositiveValue();
      assertThat(core.tasks().getTask(GetTaskRequest.newBuilder().setTaskId(task).build()))
          .returns(false, each -> each.getReceiptId().isEmpty());
    }
  }

  /** Goes on once workers keep up, so that checks stay short. */
  private void whileFew(int begun, Runnable once) {
    while (begun > ended.get() + 20 && !over.get()) {
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
    once.run();
  }

  private Callable<Boolean> repeat(Runnable once) {
    return () -> {
      while (!over.get()) {
        once.run();
      }
      return true;
    };
  }

  private static final class Submitting {
    private final TestCore core;
    private final String session;
    private int count;

    Submitting(TestCore core) {
      this.core = core;
      this.session = core.newSession();
    }

    void once() {
      String task =
          TaskServiceGrpc.newBlockingStub(core.withKey("key-" + count++))
              .submitSessionTask(TestCore.submission(session))
              .getId();
      if (count % 7 == 0) {
        cancel(task);
      }
    }

    private void cancel(String task) {
      try {
        var unused =
            core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
      } catch (StatusRuntimeException late) {
        assertThat(late).hasMessageContaining("The task is "); // A worker has ended it before.
      }
    }
  }

  private record Uploads(TestCore core) {
    void once() {
      String id =
          Uploading.registered(core.owner(), Uploading.described().setWorkspaceId("default"))
              .getId();
      Uploading.upload(core.owner(), id, Uploading.noise(2_500_000));
    }
  }

  private final class Working {
    private final TestCore core;
    private final TestWorker worker;
    private int count;

    Working(TestCore core, String name) {
      this.core = core;
      this.worker = new TestWorker(core.owner(), "", name);
    }

    void once() {
      worker.want(1);
      Optional<TaskLease> lease = worker.next(Duration.ofSeconds(2));
      try {
        lease.ifPresent(this::work);
        ended.incrementAndGet();
      } catch (StatusRuntimeException lost) {
        // Cancelled meanwhile, or too late: the core has its own word on it.
      }
    }

    private void work(TaskLease lease) {
      String task = lease.getTask().getId();
      long fence = lease.getFence();
      var unusedBeat =
          core.workers()
              .heartbeat(
                  HeartbeatRequest.newBuilder()
                      .addLeases(HeldLease.newBuilder().setTaskId(task).setFence(fence))
                      .build());
      var unusedStep =
          core.workers()
              .reportStep(
                  ReportStepRequest.newBuilder()
                      .setTaskId(task)
                      .setFence(fence)
                      .setStepKey("fact")
                      .setDependency(
                          DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("1")))
                      .build());
      switch (count++ % 5) {
        case 0 -> {
          var unused =
              core.workers()
                  .requestInput(
                      RequestInputRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setStepKey("ask")
                          .setPrompt("?")
                          .setHold(Durations.fromMillis(50))
                          .build());
        }
        case 1 -> {
          var unused =
              core.workers()
                  .failTask(
                      FailTaskRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setFailure(Failure.newBuilder().setCode("no").setMessage("No."))
                          .setRetryable(true)
                          .build());
        }
        case 2 -> {} // Goes quiet: the lease runs out.
        default -> {
          var unused =
              core.workers()
                  .completeTask(
                      CompleteTaskRequest.newBuilder()
                          .setTaskId(task)
                          .setFence(fence)
                          .setSummary("done")
                          .build());
        }
      }
    }
  }
}
