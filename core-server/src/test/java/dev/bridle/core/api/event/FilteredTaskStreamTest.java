package dev.bridle.core.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.StreamEventsRequest;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A stream of a task whose events another filter hides. */
class FilteredTaskStreamTest extends LeasedTasks {
  /** More than the log is read by at once. */
  private static final int EVENTS = 90;

  @Test
  void theStreamOfALongTaskInAnotherWorkspaceReachesTheEndOfItsHistory() {
    String task = core.submit(session).getId();
    worker.want(1);
    TaskLease lease = worker.lease();
    ReportStepRequest.Builder report = dependency(lease, "llm:main:1").toBuilder();
    for (int i = 0; i < EVENTS; i++) {
      report.addEarlierReports(WorkerRequests.progress("p" + i));
    }
    var unused = core.workers().reportStep(report.build());
    String elsewhere =
        WorkspaceServiceGrpc.newBlockingStub(core.owner())
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName("elsewhere").setRoot("stored:").build())
            .getId();

    Iterator<EventFrame> frames =
        EventServiceGrpc.newBlockingStub(core.owner())
            .withDeadlineAfter(60, TimeUnit.SECONDS)
            .streamEvents(
                StreamEventsRequest.newBuilder().setTaskId(task).setWorkspaceId(elsewhere).build());

    assertThat(frames.next().hasHistoryEnd()).isTrue();
  }
}
