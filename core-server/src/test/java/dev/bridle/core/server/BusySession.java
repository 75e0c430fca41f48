package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many workers of one or several cores over one store that end the tasks of one session. */
final class BusySession {
  private static final int WORKERS = 64;

  private BusySession() {}

  /** Creates a session, ends so many tasks of it, and returns its id. */
  static String endAll(List<Channel> cores, int tasks)
      throws InterruptedException, ExecutionException {
    String session =
        SessionServiceGrpc.newBlockingStub(cores.get(0))
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
            .getId();
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        int number = i;
        int share = tasks / WORKERS + (number < tasks % WORKERS ? 1 : 0);
        Channel core = cores.get(number % cores.size());
        all.add(threads.submit(() -> work(core, session, number, share)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return session;
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
}
