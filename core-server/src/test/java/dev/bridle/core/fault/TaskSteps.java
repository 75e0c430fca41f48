package dev.bridle.core.fault;

import com.google.protobuf.ByteString;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageMode;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeartbeatResponse;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.TakeMessagesRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UserMessage;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import java.util.List;

/** What clients and workers ask of a core about tasks, in words. */
final class TaskSteps {
  private TaskSteps() {}

  static Task submit(World world, String key) {
    return world.callOnce(
        "submit",
        key,
        channel -> TaskServiceGrpc.newBlockingStub(channel).submitSessionTask(world.submission()));
  }

  static Task cancel(World world, String task, String key) {
    CancelTaskRequest request =
        CancelTaskRequest.newBuilder().setTaskId(task).setReason("changed my mind").build();
    return world.callOnce(
        "cancel", key, channel -> TaskServiceGrpc.newBlockingStub(channel).cancelTask(request));
  }

  static String answer(World world, String task, String key) {
    AppendTaskMessageRequest request = TestCore.answer(task, "forty-two");
    return world
        .callOnce(
            "answer",
            key,
            channel -> TaskServiceGrpc.newBlockingStub(channel).appendTaskMessage(request))
        .getId();
  }

  static String say(World world, String task, String key) {
    AppendTaskMessageRequest request =
        WorkerRequests.said(task, "use another name")
            .setMode(TaskMessageMode.TASK_MESSAGE_MODE_FINISH_STEP)
            .build();
    return world
        .callOnce(
            "say",
            key,
            channel -> TaskServiceGrpc.newBlockingStub(channel).appendTaskMessage(request))
        .getId();
  }

  static List<UserMessage> take(World world, TaskLease lease, long through) {
    TakeMessagesRequest request = WorkerRequests.taken(lease, through);
    return world
        .call("take", channel -> WorkerServiceGrpc.newBlockingStub(channel).takeMessages(request))
        .getMessagesList();
  }

  static HeartbeatResponse beat(World world, TaskLease lease) {
    HeartbeatRequest request = WorkerRequests.heartbeat(lease);
    return world.call(
        "heartbeat", channel -> WorkerServiceGrpc.newBlockingStub(channel).heartbeat(request));
  }

  static RecordedStep progress(World world, TaskLease lease, String step) {
    return report(
        world,
        report(lease, step).setProgress(ProgressReport.newBuilder().setText("half way")).build());
  }

  static RecordedStep value(World world, TaskLease lease, String step) {
    return report(
        world,
        report(lease, step)
            .setDependency(DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("1")))
            .build());
  }

  static RecordedStep artifact(World world, TaskLease lease, String step) {
    return report(world, report(lease, step).setArtifact(WorkerRequests.artifact()).build());
  }

  private static ReportStepRequest.Builder report(TaskLease lease, String step) {
    return WorkerRequests.step(lease, step);
  }

  private static RecordedStep report(World world, ReportStepRequest request) {
    return world
        .call("report", channel -> WorkerServiceGrpc.newBlockingStub(channel).reportStep(request))
        .getStep();
  }

  static RequestInputResponse ask(World world, TaskLease lease) {
    RequestInputRequest request = WorkerRequests.question(lease).build();
    return world.call(
        "question", channel -> WorkerServiceGrpc.newBlockingStub(channel).requestInput(request));
  }

  static Task complete(World world, TaskLease lease) {
    CompleteTaskRequest request = WorkerRequests.complete(lease).setSummary("done").build();
    return world
        .call(
            "complete", channel -> WorkerServiceGrpc.newBlockingStub(channel).completeTask(request))
        .getTask();
  }

  static Task fail(World world, TaskLease lease, boolean retryable) {
    FailTaskRequest request = TestCore.failure(lease, retryable);
    return world
        .call("fail", channel -> WorkerServiceGrpc.newBlockingStub(channel).failTask(request))
        .getTask();
  }

  static Task acknowledgeCancel(World world, TaskLease lease) {
    AcknowledgeCancelRequest request =
        AcknowledgeCancelRequest.newBuilder()
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .build();
    return world
        .call(
            "acknowledge",
            channel -> WorkerServiceGrpc.newBlockingStub(channel).acknowledgeCancel(request))
        .getTask();
  }
}
