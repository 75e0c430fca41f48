package dev.bridle.core.work.dispatch;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UnregisterWorkerRequest;
import dev.bridle.worker.v1.WorkerBinding;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers whose credential reaches some workspaces only. */
final class WorkspaceWorkerTest extends LeasedTasks {
  private String workspace;
  private Channel bound;

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @BeforeEach
  void aKeyOfOneWorkspace() {
    workspace =
        WorkspaceServiceGrpc.newBlockingStub(core.owner())
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName("Other").setRoot("/").build())
            .getId();
    bound = core.as("owner", List.of("workers:lease"), List.of(workspace));
  }

  @Test
  void aWorkerGetsTasksOfItsWorkspacesOnly() {
    core.submit(session);
    TestWorker other = new TestWorker(bound, "", "w2");
    other.want(5);
    Task own = core.submit(newSession(workspace));

    assertThat(other.lease().getTask().getId()).isEqualTo(own.getId());
    assertThat(other.next(Duration.ofMillis(200))).isEmpty();
    other.close();
  }

  @Test
  void aWorkerGetsItsTasksBehindManyOfOtherWorkspaces() {
    for (int i = 0; i < 150; i++) {
      core.submit(session);
    }
    Task own = core.submit(newSession(workspace));
    TestWorker other = new TestWorker(bound, "", "w2");
    other.want(1);

    assertThat(other.lease().getTask().getId()).isEqualTo(own.getId());
    other.close();
  }

  @Test
  void aWorkerThatReachesNothingThatWaitsKeepsNobodyElseFromIt() {
    TestWorker other = new TestWorker(bound, "", "w2");
    other.want(1);
    worker.want(3);

    for (int i = 0; i < 3; i++) {
      Task task = core.submit(session);
      assertThat(worker.lease().getTask().getId()).isEqualTo(task.getId());
    }
    other.close();
  }

  @Test
  void heartbeatsKeepNoLeaseOfAnotherWorkspace() {
    core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    HeartbeatRequest beat =
        HeartbeatRequest.newBuilder()
            .addLeases(
                HeldLease.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence()))
            .build();

    assertThat(workers(bound).heartbeat(beat).getStatuses(0).getState())
        .isEqualTo(LeaseState.LEASE_STATE_FREE);
    assertThat(workers(core.owner()).heartbeat(beat).getStatuses(0).getState())
        .isEqualTo(LeaseState.LEASE_STATE_HELD);
  }

  @Test
  void anAgentOfOtherWorkspacesIsNeitherReplacedNorEnded() {
    register(core.owner(), "of-default", "default");
    var unused =
        workers(core.owner())
            .registerWorker(
                RegisterWorkerRequest.newBuilder()
                    .setAgentId("of-all")
                    .addBindings(WorkerBinding.getDefaultInstance())
                    .build());

    for (String agent : List.of("of-default", "of-all")) {
      assertRefused(
          ErrorCode.ERROR_CODE_PERMISSION_DENIED,
          "agent_id",
          () -> register(bound, agent, workspace));
      assertRefused(
          ErrorCode.ERROR_CODE_PERMISSION_DENIED, "agent_id", () -> unregister(bound, agent));
    }
    assertThat(core.submit(session).getAssignedAgentId()).isEqualTo("of-default");
  }

  @Test
  void anAgentOfTheOwnWorkspaceIsRegisteredAndEnded() {
    register(bound, "own", workspace);
    assertThat(core.submit(newSession(workspace)).getAssignedAgentId()).isEqualTo("own");
    register(bound, "own", workspace);
    unregister(bound, "own");
    assertThat(core.submit(newSession(workspace)).hasAssignedAgentId()).isFalse();
  }

  private void unregisterAndRebind(String agent) {
    var unused =
        workers(core.owner())
            .unregisterWorker(
                UnregisterWorkerRequest.newBuilder()
                    .setAgentId(agent)
                    .setRebindsTasks(true)
                    .build());
  }

  @Test
  void queuedTasksOfAnAgentThatIsRemovedGoToAnotherThatFits() {
    register(core.owner(), "first", "default");
    register(core.owner(), "second", "default");
    Task one = core.submit(session);
    Task other = core.submit(session);
    assertThat(other.getAssignedAgentId()).isEqualTo("first");
    TestWorker first = new TestWorker(core.owner(), "first", "w-first");
    first.want(1);
    // Either may come first: they lie in shards of the queue.
    boolean oneBegan = first.lease().getTask().getId().equals(one.getId());
    Task queued = oneBegan ? other : one;

    unregisterAndRebind("first");
    TestWorker second = new TestWorker(core.owner(), "second", "w-second");
    second.want(2);
    assertThat(second.lease().getTask().getId()).isEqualTo(queued.getId());
    assertThat(second.next(Duration.ofMillis(200))).as("it is at work elsewhere").isEmpty();
    first.close();
    second.close();
  }

  @Test
  void queuedTasksOfAnAgentThatIsRemovedWaitForTheNextThatFits() {
    register(core.owner(), "only", "default");
    Task task = core.submit(session);
    unregisterAndRebind("only");
    unregisterAndRebind("only");

    register(core.owner(), "next", "default");
    TestWorker next = new TestWorker(core.owner(), "next", "w-next");
    next.want(1);
    assertThat(next.lease().getTask().getId()).isEqualTo(task.getId());
    next.close();
  }

  private String newSession(String workspace) {
    return SessionServiceGrpc.newBlockingStub(core.owner())
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId(workspace).build())
        .getId();
  }

  private static WorkerServiceGrpc.WorkerServiceBlockingStub workers(Channel channel) {
    return WorkerServiceGrpc.newBlockingStub(channel);
  }

  private static void register(Channel channel, String agent, String workspace) {
    var unused =
        workers(channel)
            .registerWorker(
                RegisterWorkerRequest.newBuilder()
                    .setAgentId(agent)
                    .addBindings(WorkerBinding.newBuilder().setWorkspaceId(workspace))
                    .build());
  }

  private static void unregister(Channel channel, String agent) {
    var unused =
        workers(channel)
            .unregisterWorker(UnregisterWorkerRequest.newBuilder().setAgentId(agent).build());
  }
}
