package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.GetSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.SessionState;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.TaskLease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The state of a session whose agent waits between its tasks. */
class IdleSessionTest extends LeasedTasks {
  private TestWorker host;

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @BeforeEach
  void host() {
    worker.close();
    host =
        new TestWorker(
            core.owner(), LeaseHello.newBuilder().setWorkerId("host").setOneTaskPerSession(true));
  }

  @AfterEach
  void leave() {
    host.close();
  }

  @Test
  void aSessionIsIdleFromTheReportUntilItsNextTaskBegins() {
    TaskLease first = leased(host);
    assertThat(state()).isEqualTo(SessionState.SESSION_STATE_ACTIVE);
    end(first, true);
    assertThat(state()).isEqualTo(SessionState.SESSION_STATE_IDLE);

    var queued = core.submit(session);
    assertThat(state()).as("while the task waits").isEqualTo(SessionState.SESSION_STATE_IDLE);
    host.want(1);
    TaskLease second = host.lease();
    assertThat(second.getTask().getId()).isEqualTo(queued.getId());
    assertThat(state()).isEqualTo(SessionState.SESSION_STATE_ACTIVE);

    end(second, false);
    assertThat(state()).isEqualTo(SessionState.SESSION_STATE_ACTIVE);
  }

  @Test
  void aReportThatIsRepeatedChangesNothing() {
    TaskLease first = leased(host);
    end(first, true);
    String after = lastEvent();
    end(first, true);
    assertThat(lastEvent()).isEqualTo(after);

    TaskLease second = leased(host);
    end(first, true);
    assertThat(state()).isEqualTo(SessionState.SESSION_STATE_ACTIVE);
    end(second, true);
    assertThat(state()).isEqualTo(SessionState.SESSION_STATE_IDLE);
  }

  @Test
  void aWorkerWithSeveralTasksOfASessionDoesNotMarkIt() {
    try (TestWorker several = new TestWorker(core.owner(), "", "several")) {
      end(leased(several), true);
      assertThat(state()).isEqualTo(SessionState.SESSION_STATE_ACTIVE);
    }
  }

  @Test
  void aClosedSessionStaysClosed() {
    TaskLease lease = leased(host);
    var unused =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());

    end(lease, true);

    assertThat(state()).isEqualTo(SessionState.SESSION_STATE_CLOSED);
  }

  private TaskLease leased(TestWorker by) {
    var unused = core.submit(session);
    by.want(1);
    return by.lease();
  }

  private void end(TaskLease lease, boolean idle) {
    CompleteTaskRequest request = WorkerRequests.complete(lease).setSessionIdle(idle).build();
    assertThat(core.workers().completeTask(request).getTask().getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
  }

  private SessionState state() {
    return session().getState();
  }

  private String lastEvent() {
    return session().getLastEventId();
  }

  private Session session() {
    return SessionServiceGrpc.newBlockingStub(core.owner())
        .getSession(GetSessionRequest.newBuilder().setSessionId(session).build());
  }
}
