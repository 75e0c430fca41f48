package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.proof.verify.ChainReport;
import dev.bridle.proof.verify.ChainVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many workers of two cores over one store end the tasks of one session at the same time. */
class OneChainTest {
  private static final String TENANT = "default";
  private static final int WORKERS = 64;
  private static final TaskOptions PATIENT =
      TaskOptions.DEFAULT.withLease(Duration.ofMinutes(2), Duration.ofSeconds(20));

  @TempDir Path directory;

  @Test
  void theReceiptsOfAFewHundredTasksAreOneLineWithoutAFork() throws Exception {
    assertOneLine(320);
  }

  @Tag("slow")
  @Test
  void theReceiptsOfTwoThousandTasksAreOneLineWithoutAFork() throws Exception {
    assertOneLine(2_000);
  }

  private void assertOneLine(int tasks) throws Exception {
    try (KeyValueStore store = SuiteStore.open(directory);
        CoreOver one = CoreOver.start(store, Clock.systemUTC(), PATIENT);
        CoreOver two = CoreOver.start(store, Clock.systemUTC(), PATIENT)) {
      Channel[] cores = {one.of(TENANT), two.of(TENANT)};
      String session =
          SessionServiceGrpc.newBlockingStub(cores[0])
              .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
              .getId();

      endAll(cores, session, tasks);

      List<ReceiptRecord> receipts = receipts(store, session, tasks);
      assertThat(receipts).hasSize(tasks);
      ChainReport report = verified(store, session, receipts);
      assertThat(report.faults()).isEmpty();
      assertThat(report.verdict()).isEqualTo(Verdict.VALID);
      StoredData.assertSound(store);
    }
  }

  private static void endAll(Channel[] cores, String session, int tasks)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        int number = i;
        int share = tasks / WORKERS + (number < tasks % WORKERS ? 1 : 0);
        all.add(threads.submit(() -> work(cores[number % 2], session, number, share)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Submits a share of the tasks, and completes as many, whoever has submitted them. */
  private static void work(Channel core, String session, int number, int share) {
    try (TestWorker worker = new TestWorker(core, "", "w" + number)) {
      for (int i = 0; i < share; i++) {
        var submitted =
            TaskServiceGrpc.newBlockingStub(core).submitSessionTask(TestCore.submission(session));
        assertThat(submitted.getSessionId()).isEqualTo(session);
        worker.want(1);
        TaskLease lease = worker.lease();
        var done =
            WorkerServiceGrpc.newBlockingStub(core)
                .completeTask(
                    CompleteTaskRequest.newBuilder()
                        .setTaskId(lease.getTask().getId())
                        .setFence(lease.getFence())
                        .setSummary("done")
                        .build());
        assertThat(done.getTask().getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
      }
    }
  }

  private static List<ReceiptRecord> receipts(KeyValueStore store, String session, int most) {
    return store.read(
        tr ->
            new ReceiptStore(KeyLayout.root())
                .records()
                .batch(tr, TENANT, RecordDef.BY_SESSION, session, Optional.empty(), 2 * most)
                .records());
  }

  private static ChainReport verified(
      KeyValueStore store, String session, List<ReceiptRecord> receipts) {
    ChainVerifier verifier =
        new ChainVerifier(
            Trust.of(store.read(tr -> ReceiptKeys.trusted(tr, KeyLayout.root(), TENANT))));
    receipts.forEach(receipt -> verifier.add(receipt.getWire().toByteArray()));
    return verifier.report(
        ReceiptStore.head(
            store.read(tr -> new ReceiptStore(KeyLayout.root()).chain(tr, TENANT, session))));
  }
}
