package dev.bridle.core.cost;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.StreamTaskEventsRequest;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.embedded.StoreImage;
import dev.bridle.storage.kit.count.Cost;
import dev.bridle.storage.kit.count.CountingStore;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;

/** A core on one thread over a store that counts, with a session and a worker. */
final class CountedCore implements AutoCloseable {
  private static final ProgressReport READING =
      ProgressReport.newBuilder().setText("Reading the input").setFraction(0).build();
  private static final ProgressReport COUNTING =
      ProgressReport.newBuilder().setText("Counting the words").setFraction(0.9).build();
  private static final ProgressReport WRITING =
      ProgressReport.newBuilder().setText("Writing the report").setFraction(0.95).build();

  private final InMemoryStore beneath = InMemoryStore.openOnOneThread(StoreImage.EMPTY);
  private final CountingStore store = new CountingStore(beneath);
  private final SteppedCore core =
      new SteppedCore(
          store,
          Clock.fixed(Instant.parse("2026-11-21T10:00:00Z"), ZoneOffset.UTC),
          () -> 0,
          new Random(1));
  private final Channel owner = core.owner();
  private final TestWorker worker = new TestWorker(owner, "", "worker-1");
  private final String session =
      SessionServiceGrpc.newBlockingStub(owner)
          .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
          .getId();
  private long calls;

  /** Returns what has been done to the store so far. */
  Cost cost() {
    core.drain();
    return store.cost();
  }

  /**
   * Returns how many calls clients and the worker have made so far, the worker's wants among them.
   */
  long calls() {
    return calls;
  }

  /** Lets a handler that only returns a result run, with one reader of the task's stream. */
  void trivialTask(Channel client) {
    TaskLease lease = submitted(client, SubmitTaskInput.newBuilder().setJson(utf8("{\"n\":1}")));
    complete(CompleteTaskRequest.newBuilder(), lease);
  }

  /** Reports what the demo agent reports for a message, with one reader of the task's stream. */
  void demoTask(Channel client) {
    TaskLease lease = demoLease(client);
    report(
        lease,
        demoArtifact()
            .addEarlierReports(progress("reading", READING))
            .addEarlierReports(progress("counting", COUNTING))
            .addEarlierReports(progress("writing", WRITING)));
    completeDemo(lease);
  }

  /** Reports the same as a worker does whose reports don't wait for each other. */
  void demoTaskWithoutBatches(Channel client) {
    TaskLease lease = demoLease(client);
    report(lease, ReportStepRequest.newBuilder().setStepKey("reading").setProgress(READING));
    report(lease, ReportStepRequest.newBuilder().setStepKey("counting").setProgress(COUNTING));
    report(lease, ReportStepRequest.newBuilder().setStepKey("writing").setProgress(WRITING));
    report(lease, demoArtifact());
    completeDemo(lease);
  }

  private TaskLease demoLease(Channel client) {
    return submitted(
        client, SubmitTaskInput.newBuilder().setMessage(message(Role.ROLE_USER, "one two one")));
  }

  private static ReportStepRequest.Builder demoArtifact() {
    return ReportStepRequest.newBuilder()
        .setStepKey("report")
        .setArtifact(
            ArtifactReport.newBuilder()
                .setKind(ArtifactKind.ARTIFACT_KIND_DATASET)
                .setMimeType("application/json")
                .setVisibility(Visibility.VISIBILITY_PUBLIC)
                .setContent(utf8("{\"words\":{\"one\":2,\"two\":1}}")));
  }

  private void completeDemo(TaskLease lease) {
    complete(
        CompleteTaskRequest.newBuilder().setMessage(message(Role.ROLE_AGENT, "3 words")), lease);
  }

  Channel owner() {
    return owner;
  }

  Channel withKey(String idempotencyKey) {
    return core.withKey(idempotencyKey);
  }

  private TaskLease submitted(Channel client, SubmitTaskInput.Builder input) {
    called();
    worker.want(1);
    core.drain();
    called();
    Task task =
        TaskServiceGrpc.newBlockingStub(client)
            .submitSessionTask(
                SubmitTaskRequest.newBuilder().setSessionId(session).setInput(input).build());
    called();
    EventServiceGrpc.newStub(owner)
        .streamTaskEvents(
            StreamTaskEventsRequest.newBuilder().setTaskId(task.getId()).build(), new Ignored());
    core.drain();
    return worker.lease();
  }

  private static StepReport progress(String step, ProgressReport progress) {
    return StepReport.newBuilder().setStepKey(step).setProgress(progress).build();
  }

  private void report(TaskLease lease, ReportStepRequest.Builder report) {
    called();
    var unused =
        WorkerServiceGrpc.newBlockingStub(owner)
            .reportStep(
                report.setTaskId(lease.getTask().getId()).setFence(lease.getFence()).build());
    core.drain();
  }

  private void complete(CompleteTaskRequest.Builder result, TaskLease lease) {
    called();
    var unused =
        WorkerServiceGrpc.newBlockingStub(owner)
            .completeTask(
                result
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setSummary("done")
                    .build());
    core.drain();
  }

  private void called() {
    calls++;
  }

  private static MessageInput message(Role role, String text) {
    return MessageInput.newBuilder()
        .setRole(role)
        .addParts(
            Part.newBuilder()
                .setText(
                    TextPart.newBuilder()
                        .setText(text)
                        .setVisibility(Visibility.VISIBILITY_PUBLIC)))
        .build();
  }

  private static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }

  @Override
  public void close() {
    worker.close();
    core.close();
    beneath.close();
  }

  /** Takes whatever a stream sends. */
  private static final class Ignored implements StreamObserver<EventFrame> {
    @Override
    public void onNext(EventFrame frame) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}
