package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The file of a core that has ended one task, with a recorded value and an artifact. */
abstract class ExportedTask {
  private static final String ANSWER = "{\"text\":\"the recorded answer\"}";

  @TempDir Path directory;
  TestCore source;
  TestCore target;
  String task;
  byte[] file;

  @BeforeEach
  void export() {
    source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
    target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT);
    task = source.submit(source.newSession()).getId();
    try (TestWorker worker = new TestWorker(source.owner(), "", "w1")) {
      worker.want(1);
      TaskLease lease = worker.lease();
      report(
          WorkerRequests.step(lease, "llm:main:1")
              .setDependency(
                  DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8(ANSWER))));
      report(
          WorkerRequests.step(lease, "report")
              .setArtifact(
                  ArtifactReport.newBuilder()
                      .setKind(ArtifactKind.ARTIFACT_KIND_FILE)
                      .setMimeType("text/plain")
                      .setVisibility(Visibility.VISIBILITY_PUBLIC)
                      .setContent(ByteString.copyFromUtf8("a report"))));
      var unused =
          source.workers().completeTask(WorkerRequests.complete(lease).setSummary("done").build());
    }
    file = Transfer.tenant(source);
  }

  /** Ends a task in a new session of a core. Returns its receipt's id. */
  static String receiptOf(TestCore core) {
    String id = core.submit(core.newSession()).getId();
    try (TestWorker worker = new TestWorker(core.owner(), "", "w1")) {
      worker.want(1);
      TaskLease lease = worker.lease();
      var unused =
          core.workers().completeTask(WorkerRequests.complete(lease).setSummary("done").build());
    }
    return core.task(id).getReceiptId();
  }

  private void report(ReportStepRequest.Builder step) {
    var unused = source.workers().reportStep(step.build());
  }

  @AfterEach
  void stop() {
    source.close();
    target.close();
  }

  byte[] changed(UnaryOperator<ExportEntry> change) {
    return RewrittenFile.of(file, change);
  }

  /** A changed file is refused for a reason, and leaves no trace. */
  void refused(byte[] changed, String why) {
    assertThatThrownBy(() -> Transfer.load(target, changed))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining(why);
    assertThat(Transfer.load(target, file).getEvents()).as("nothing was kept").isPositive();
  }
}
