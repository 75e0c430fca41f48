package dev.bridle.core.work.replay;

import com.google.protobuf.ByteString;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import java.util.List;
import java.util.Set;

/** Tasks that have ended, and replays of them whose worker is played by the test. */
abstract class PlayedReplays extends LeasedTasks {
  final List<Event> sessionEvents() {
    return core.events()
        .listSessionEvents(
            ListSessionEventsRequest.newBuilder().setSessionId(session).setLimit(200).build())
        .getDataList();
  }

  final Task completed() {
    String id = core.submit(session).getId();
    worker.want(1);
    complete(worker.lease(), "done");
    return core.task(id);
  }

  /** Ends a replay as its worker does that found no difference. */
  final Task ended(Task replay) {
    try (TestWorker own = own(replay.getAssignedAgentId())) {
      end(lease(own));
    }
    return core.task(replay.getId());
  }

  final void end(TaskLease lease) {
    var unused =
        WorkerServiceGrpc.newBlockingStub(replayer())
            .completeTask(WorkerRequests.complete(lease).setSummary("replayed").build());
  }

  final void report(TaskLease lease, String event, String payload) {
    var unused =
        WorkerServiceGrpc.newBlockingStub(replayer())
            .reportStep(
                WorkerRequests.step(lease, event)
                    .setEvent(
                        EventReport.newBuilder()
                            .setEvent(event)
                            .setPayload(ByteString.copyFromUtf8(payload)))
                    .build());
  }

  static TaskLease lease(TestWorker own) {
    own.want(1);
    return own.lease();
  }

  final TestWorker own() {
    return own(OwnAgents.REPLAY);
  }

  final TestWorker own(String agent) {
    return new TestWorker(replayer(), agent, "replayer");
  }

  final Channel replayer() {
    return core.as(
        core.core().processCredential("default", OwnAgents.REPLAY, Set.of("workers:lease")));
  }
}
