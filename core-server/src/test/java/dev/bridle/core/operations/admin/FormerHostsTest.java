package dev.bridle.core.operations.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.HostFolderRequest;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerBinding;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process that hosted an agent in a folder has left, for the next one. */
class FormerHostsTest {
  private static final String FOLDER = "/home/ada/project";

  @TempDir Path directory;
  private TestCore core;

  @BeforeEach
  void start() {
    core =
        TestCore.start(
            directory.resolve("data"),
            TaskOptions.DEFAULT.withLease(Duration.ofMinutes(10), Duration.ofMinutes(1)));
  }

  @AfterEach
  void stop() {
    core.close();
  }

  /** A process that hosts an agent, until its call ends. */
  private final class Host implements AutoCloseable {
    private final Context.CancellableContext open = Context.current().withCancellation();
    private final String person;
    private final String worker;
    private final String workspace;

    Host(String name, String folder, boolean takesOver) throws Exception {
      person = (name + "-person-").repeat(5);
      worker = (name + "-worker-").repeat(5);
      HostFolderRequest request =
          HostFolderRequest.newBuilder()
              .setFolder(folder)
              .setActor("terminal-" + name)
              .setPersonSecret(person)
              .setWorkerSecret(worker)
              .setTakesOver(takesOver)
              .build();
      workspace =
          open.call(
              () ->
                  AdminServiceGrpc.newBlockingStub(core.operator())
                      .hostFolder(request)
                      .next()
                      .getWorkspaceId());
    }

    WorkerServiceGrpc.WorkerServiceBlockingStub workers() {
      return WorkerServiceGrpc.newBlockingStub(core.as(worker));
    }

    String submit() {
      String session =
          SessionServiceGrpc.newBlockingStub(core.as(person))
              .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(workspace).build())
              .getId();
      return TaskServiceGrpc.newBlockingStub(core.as(person))
          .submitSessionTask(TestCore.submission(session))
          .getId();
    }

    /** Takes tasks, as {@code bridle run} does. */
    TestWorker take() {
      var unused =
          workers()
              .registerWorker(
                  RegisterWorkerRequest.newBuilder()
                      .setAgentId(workspace)
                      .addBindings(WorkerBinding.newBuilder().setWorkspaceId(workspace))
                      .build());
      TestWorker taking = new TestWorker(core.as(worker), workspace, "process");
      taking.want(1);
      return taking;
    }

    @Override
    public void close() {
      open.cancel(null);
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(
                          () ->
                              AuthServiceGrpc.newBlockingStub(core.as(person))
                                  .getCaller(GetCallerRequest.getDefaultInstance()))
                      .isInstanceOf(StatusRuntimeException.class));
    }
  }

  @Test
  void itsTaskReachesTheNextOneAtOnce() throws Exception {
    String task;
    try (Host former = new Host("former", FOLDER, true)) {
      task = former.submit();
      try (TestWorker worker = former.take()) {
        assertThat(worker.lease().getTask().getId()).isEqualTo(task);
      }
    }
    try (Host next = new Host("next", FOLDER, true);
        TestWorker worker = next.take()) {
      TaskLease lease = worker.lease();
      assertThat(lease.getTask().getId()).isEqualTo(task);
      assertThat(lease.getAttempt()).isEqualTo(2);
    }
    assertThat(core.kindsOf(task)).contains("vendor.bridle.attempt_ended");
  }

  @Test
  void itsQuestionStaysOpenAndTheAnswerReachesTheNextOne() throws Exception {
    String task;
    try (Host former = new Host("former", FOLDER, true)) {
      task = former.submit();
      try (TestWorker worker = former.take()) {
        TaskLease lease = worker.lease();
        var unused =
            former
                .workers()
                .requestInput(
                    RequestInputRequest.newBuilder()
                        .setTaskId(task)
                        .setFence(lease.getFence())
                        .setStepKey("ask")
                        .setPrompt("How many?")
                        .build());
      }
    }
    try (Host next = new Host("next", FOLDER, true);
        TestWorker worker = next.take()) {
      assertThat(core.task(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
      var unused =
          TaskServiceGrpc.newBlockingStub(core.as(next.person))
              .appendTaskMessage(TestCore.answer(task, "two"));
      assertThat(worker.lease().getTask().getId()).isEqualTo(task);
    }
  }

  @Test
  void whatStillRunsKeepsItsTask() throws Exception {
    try (Host one = new Host("one", FOLDER, true);
        Host other = new Host("other", "/home/ada/other", true)) {
      assertThat(other.workspace).isNotEqualTo(one.workspace);
      String task = one.submit();
      try (TestWorker worker = one.take()) {
        assertThat(worker.lease().getTask().getId()).isEqualTo(task);

        try (Host same = new Host("same", FOLDER, true);
            Host third = new Host("third", "/home/ada/third", true)) {
          assertThat(same.workspace).isEqualTo(one.workspace).isNotEqualTo(third.workspace);
          assertThat(core.kindsOf(task)).doesNotContain("vendor.bridle.attempt_ended");
        }
      }
    }
  }

  @Test
  void oneThatIsAdmittedAgainKeepsItsLeases() throws Exception {
    String task;
    try (Host before = new Host("one", FOLDER, true)) {
      task = before.submit();
      try (TestWorker worker = before.take()) {
        assertThat(worker.lease().getTask().getId()).isEqualTo(task);
      }
    }
    try (Host again = new Host("one", FOLDER, false)) {
      assertThat(again.workspace).startsWith("workspace_dir");
      assertThat(core.kindsOf(task)).doesNotContain("vendor.bridle.attempt_ended");
    }
  }
}
