package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.permission.v1.PermissionReason;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import org.junit.jupiter.api.Test;

/** Requests and questions that whoever asked takes back. */
class WithdrawnRequestTest extends AskedTasks {

  private boolean withdrawn(TaskLease lease, String key) {
    return core.workers()
        .withdrawQuestion(
            WithdrawQuestionRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setStepKey(key)
                .build())
        .getWithdrawn();
  }

  private static RequestPermissionRequest.Builder held(TaskLease lease) {
    return wanted(lease, "s", "ls").setHold(Durations.fromSeconds(60));
  }

  @Test
  void aWithdrawnRequestIsExpiredAndItsTaskGoesOn() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    String id = ask(held(lease)).getRequestId();
    worker.want(1);

    assertThat(withdrawn(lease, "another")).as("another step").isFalse();
    assertThat(withdrawn(lease, "s")).isTrue();

    PermissionRequest request = read(id);
    assertThat(request.getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_EXPIRED);
    assertThat(request.getResponse().getReason())
        .isEqualTo(PermissionReason.PERMISSION_REASON_WITHDRAWN);
    assertThat(core.task(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    assertThat(core.eventsOf(task))
        .filteredOn(event -> event.getEvent().equals("vendor.bridle.permission_expired"))
        .singleElement()
        .satisfies(event -> assertThat(event.getPayload().toStringUtf8()).contains("withdrawn"));
    Refusal.assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> approve("ada", id));
    TaskLease next = worker.lease();
    assertThat(ask(held(next)).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_EXPIRED);
    assertThat(withdrawn(next, "s")).as("withdrawn twice").isFalse();
  }

  @Test
  void whatIsDecidedCanNotBeWithdrawn() {
    TaskLease lease = begin();
    String id = ask(held(lease)).getRequestId();
    approve("ada", id);

    assertThat(withdrawn(lease, "s")).isFalse();
    assertThat(read(id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
  }

  @Test
  void aWithdrawnQuestionIsOver() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    var asked =
        core.workers()
            .requestInput(
                WorkerRequests.question(lease).setHold(Durations.fromSeconds(60)).build());
    assertThat(asked.hasAnswer()).isFalse();
    worker.want(1);

    assertThat(withdrawn(lease, "ask")).isTrue();

    assertThat(core.task(task).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    TaskLease next = worker.lease();
    assertThat(core.workers().requestInput(WorkerRequests.question(next).build()).getTimedOut())
        .isTrue();
  }

  @Test
  void aHostWhoseProcessWorksOnWithdrawsUnderItsParkedLease() {
    try (TestWorker host =
        new TestWorker(
            core.owner(), LeaseHello.newBuilder().setWorkerId("host").setWorksWhileParked(true))) {
      var unused = core.submit(session);
      host.want(1);
      TaskLease lease = host.lease();
      String id = ask(held(lease)).getRequestId();
      host.want(1);

      assertThat(withdrawn(lease, "s")).isTrue();

      assertThat(host.lease().getTask().getId()).isEqualTo(lease.getTask().getId());
      assertThat(read(id).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_EXPIRED);
    }
  }
}
