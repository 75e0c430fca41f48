package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.worker.v1.GetSessionStateRequest;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.SessionState;
import dev.bridle.worker.v1.SetSessionStateRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerBinding;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an agent's workers keep about a session from task to task. */
class SessionStateTest extends LeasedTasks {

  @Test
  void theNextTaskOfTheSessionFindsWhatTheLastOneKept() {
    TaskLease first = leased(session);
    assertThat(state(first)).isEmpty();
    assertThat(keep(first, 1, "here")).isEqualTo("here");
    assertThat(keep(first, 2, "there")).isEqualTo("there");
    complete(first);

    assertThat(state(leased(session))).contains("there");
    assertThat(state(leased(core.newSession()))).isEmpty();
  }

  @Test
  void aStateThatIsNotNewerChangesNothing() {
    TaskLease lease = leased(session);
    keep(lease, 5, "new");

    assertThat(keep(lease, 5, "same")).isEqualTo("new");
    assertThat(keep(lease, 4, "late")).isEqualTo("new");
    assertThat(state(lease)).contains("new");
  }

  @Test
  void eachAgentHasItsOwn() {
    keep(leased(session), 1, "of unbound tasks");
    var unused =
        core.workers()
            .registerWorker(
                RegisterWorkerRequest.newBuilder()
                    .setAgentId("coder")
                    .addBindings(WorkerBinding.getDefaultInstance())
                    .build());
    try (TestWorker coder =
        new TestWorker(
            core.owner(), LeaseHello.newBuilder().setAgentId("coder").setWorkerId("w2"))) {
      coder.want(1);
      var submitted = core.submit(session);
      assertThat(submitted.getAssignedAgentId()).isEqualTo("coder");
      assertThat(state(coder.lease())).isEmpty();
    }
  }

  @Test
  void aStateHasAtMostSixteenKibibytesAndARevision() {
    TaskLease lease = leased(session);
    refused(lease, 1, "x".repeat(16_385));
    refused(lease, 0, "x");

    assertThat(keep(lease, 1, "x".repeat(16_384))).hasSize(16_384);
  }

  private void refused(TaskLease lease, long revision, String state) {
    assertThat(Refusal.of(() -> keep(lease, revision, state)).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_INVALID_REQUEST);
  }

  private TaskLease leased(String of) {
    var unused = core.submit(of);
    worker.want(1);
    return worker.lease();
  }

  private String keep(TaskLease lease, long revision, String state) {
    return core.workers()
        .setSessionState(
            SetSessionStateRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setState(
                    SessionState.newBuilder()
                        .setRevision(revision)
                        .setState(ByteString.copyFromUtf8(state)))
                .build())
        .getState()
        .getState()
        .toStringUtf8();
  }

  private Optional<String> state(TaskLease lease) {
    var response =
        core.workers()
            .getSessionState(
                GetSessionStateRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .build());
    return Optional.of(response)
        .filter(kept -> kept.hasState())
        .map(kept -> kept.getState().getState().toStringUtf8());
  }
}
