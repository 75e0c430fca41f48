package dev.bridle.core.fault;

import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import java.util.List;
import java.util.stream.Stream;

/** Calls of workers that carry earlier reports: progress named by its step key. */
final class ReportSteps {
  private ReportSteps() {}

  static RecordedStep artifact(World world, TaskLease lease, String step, String... earlier) {
    return report(
        world,
        ReportStepRequest.newBuilder().setStepKey(step).setArtifact(WorkerRequests.artifact()),
        lease,
        earlier);
  }

  static RecordedStep progress(World world, TaskLease lease, String step, String... earlier) {
    return report(
        world,
        ReportStepRequest.newBuilder()
            .setStepKey(step)
            .setProgress(ProgressReport.newBuilder().setText(step)),
        lease,
        earlier);
  }

  private static RecordedStep report(
      World world, ReportStepRequest.Builder report, TaskLease lease, String... earlier) {
    ReportStepRequest request =
        report
            .setTaskId(lease.getTask().getId())
            .setFence(lease.getFence())
            .addAllEarlierReports(progress(earlier))
            .build();
    return world
        .call("reports", channel -> WorkerServiceGrpc.newBlockingStub(channel).reportStep(request))
        .getStep();
  }

  static RequestInputResponse ask(World world, TaskLease lease, String... earlier) {
    RequestInputRequest request =
        WorkerRequests.question(lease).addAllEarlierReports(progress(earlier)).build();
    return world.call(
        "question", channel -> WorkerServiceGrpc.newBlockingStub(channel).requestInput(request));
  }

  /** Completes a task, and reports progress, a message and an event with that. */
  static Task complete(World world, TaskLease lease, String... earlier) {
    CompleteTaskRequest request =
        WorkerRequests.complete(lease)
            .setSummary("done")
            .addAllEarlierReports(progress(earlier))
            .addEarlierReports(WorkerRequests.message("m", "Bye."))
            .addEarlierReports(WorkerRequests.note("n", "{\"a\":1}"))
            .build();
    return world
        .call(
            "complete", channel -> WorkerServiceGrpc.newBlockingStub(channel).completeTask(request))
        .getTask();
  }

  /** Returns the texts of a task's progress, in the order of its log. */
  static List<String> progressOf(World world, String task) {
    ListTaskEventsRequest request =
        ListTaskEventsRequest.newBuilder().setTaskId(task).setLimit(200).build();
    return world
        .call("look", channel -> EventServiceGrpc.newBlockingStub(channel).listTaskEvents(request))
        .getDataList()
        .stream()
        .filter(event -> event.getEvent().equals("vendor.bridle.progress"))
        .map(ReportSteps::text)
        .toList();
  }

  private static String text(Event event) {
    return event.getPayload().toStringUtf8().replaceAll("\\{\"text\":\"(.*)\"}", "$1");
  }

  private static List<StepReport> progress(String... keys) {
    return Stream.of(keys).map(WorkerRequests::progress).toList();
  }
}
