package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.quota.v1.GetQuotaRequest;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Live tasks are parked by an import, until somebody takes them over. */
final class ParkedTaskTest extends TwoCores {
  @Test
  void liveTasksAreParkedUntilSomebodyTakesThemOver() {
    byte[] file = Transfer.tenant(source);
    Transfer.load(target, file);
    TestWorker worker = new TestWorker(target.owner(), "", "w9");
    worker.want(5);
    target
        .tasks()
        .appendTaskMessage(
            AppendTaskMessageRequest.newBuilder()
                .setTaskId(world.asking.getId())
                .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
                .setMessage(World.text("this one"))
                .build());
    Task own = target.submit(target.newSession());
    assertThat(worker.lease().getTask().getId()).isEqualTo(own.getId());
    assertThat(worker.next(Duration.ofMillis(300))).isEmpty();

    ImportSummary taken = Transfer.load(target, file, Transfer.into("default").setTakeOver(true));

    assertThat(taken.getTakenOver()).isEqualTo(4);
    assertThat(
            QuotaServiceGrpc.newBlockingStub(target.owner())
                .getQuota(GetQuotaRequest.newBuilder().setQuotaId(world.shared.quota()).build())
                .getUsageMap())
        .as("tasks that were taken over count here, those that had ended do not")
        .containsEntry("tasks", 4.0);
    approvePermission();
    List<TaskLease> leases =
        List.of(worker.lease(), worker.lease(), worker.lease(), worker.lease());
    assertThat(leases.stream().map(lease -> lease.getTask().getId()))
        .containsExactlyInAnyOrder(
            world.asking.getId(),
            world.permitted.getId(),
            world.running.getId(),
            world.waiting.getId());
    assertThat(leases)
        .filteredOn(lease -> lease.getTask().getId().equals(world.running.getId()))
        .singleElement()
        .satisfies(
            lease -> {
              assertThat(lease.getRerun()).isTrue();
              assertThat(lease.getFence()).isGreaterThan(1);
            });
    assertThat(target.kindsOf(world.running.getId()))
        .contains("vendor.bridle.attempt_ended")
        .contains("vendor.bridle.attempt_started");
    assertThat(
            Transfer.load(target, file, Transfer.into("default").setTakeOver(true)).getTakenOver())
        .isZero();
  }

  private void approvePermission() {
    var people = PermissionServiceGrpc.newBlockingStub(target.owner());
    var pending =
        people
            .listTaskPermissionRequests(
                ListTaskPermissionRequestsRequest.newBuilder()
                    .setTaskId(world.permitted.getId())
                    .build())
            .getData(0);
    var unused =
        people.respondPermissionRequest(
            RespondPermissionRequestRequest.newBuilder()
                .setRequestId(pending.getId())
                .setApproved(true)
                .build());
  }

  @Test
  void aParkedTaskCanBeCanceled() {
    Transfer.load(target, Transfer.tenant(source));

    target
        .tasks()
        .cancelTask(CancelTaskRequest.newBuilder().setTaskId(world.running.getId()).build());

    assertThat(target.task(world.running.getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }
}
