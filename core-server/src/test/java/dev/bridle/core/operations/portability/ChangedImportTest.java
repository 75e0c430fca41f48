package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody has changed in a file is not imported, and nothing else of the file either. */
class ChangedImportTest {
  private static final String ANSWER = "{\"text\":\"the recorded answer\"}";
  private static final String OTHER = "{\"text\":\"another answer, told\"}";

  @TempDir private Path directory;
  private TestCore source;
  private TestCore target;
  private byte[] file;

  @BeforeEach
  void export() {
    source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
    target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT);
    var unused = source.submit(source.newSession());
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
      var unusedEnd =
          source.workers().completeTask(WorkerRequests.complete(lease).setSummary("done").build());
    }
    file = Transfer.tenant(source);
  }

  private void report(ReportStepRequest.Builder step) {
    var unused = source.workers().reportStep(step.build());
  }

  @AfterEach
  void stop() {
    source.close();
    target.close();
  }

  @Test
  void whatNobodyHasChangedIsImported() {
    assertThat(Transfer.load(target, changed(entry -> entry)).getEvents()).isPositive();
  }

  @Test
  void aChangedValueIsRefused() {
    refused(
        changed(ChangedImportTest::withOtherAnswer), "the recorded value of the step 'llm:main:1'");
  }

  @Test
  void aChangedValueWithItsCommitmentIsRefusedSinceItsEventHasAnother() {
    refused(
        changed(
            entry ->
                entry.hasStep()
                    ? RewrittenFile.withStep(
                        withOtherAnswer(entry),
                        step ->
                            step.toBuilder()
                                .setCommitment(
                                    Commitment.of(
                                        step.getSalt().toByteArray(), step.getStep().getValue()))
                                .build())
                    : entry),
        "the recorded value of the step 'llm:main:1'");
  }

  @Test
  void aChangedPayloadIsRefused() {
    refused(
        changed(
            entry ->
                entry.hasEvent()
                    ? RewrittenFile.withEvent(
                        entry,
                        event ->
                            event.toBuilder()
                                .setPayload(event.getPayload().concat(ByteString.copyFromUtf8(" ")))
                                .build())
                    : entry),
        "the payload of the event ");
  }

  @Test
  void changedBytesOfAnArtifactAreRefused() {
    refused(
        changed(
            entry -> {
              if (!entry.hasChunk() || entry.getChunk().getData().isEmpty()) {
                return entry;
              }
              byte[] data = entry.getChunk().getData().toByteArray();
              data[0] ^= 1;
              return entry.toBuilder()
                  .setChunk(entry.getChunk().toBuilder().setData(ByteString.copyFrom(data)))
                  .build();
            }),
        "the content of the artifact ");
  }

  @Test
  void aChangedReceiptIsRefused() {
    refused(
        changed(
            entry ->
                entry.hasRecord() && entry.getRecord().getKind() == ReceiptStore.RECEIPT.number()
                    ? withReceipt(entry)
                    : entry),
        "does not verify: hash");
  }

  @Test
  void aRecordThatSaysAnotherThingThanItsReceiptIsRefused() {
    refused(
        changed(
            entry ->
                entry.hasRecord() && entry.getRecord().getKind() == ReceiptStore.RECEIPT.number()
                    ? RewrittenFile.withRecord(
                        entry,
                        RewrittenFile.parse(ReceiptRecord.parser(), entry.getRecord().getRecord())
                            .toBuilder()
                            .setIndex(7)
                            .build()
                            .toByteString())
                    : entry),
        "does not say what that says");
  }

  private byte[] changed(UnaryOperator<ExportEntry> change) {
    return RewrittenFile.of(file, change);
  }

  private void refused(byte[] changed, String why) {
    assertThatThrownBy(() -> Transfer.load(target, changed))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining(why);
    assertThat(Transfer.load(target, file).getEvents()).as("nothing was kept").isPositive();
  }

  private static ExportEntry withOtherAnswer(ExportEntry entry) {
    return entry.hasStep()
        ? RewrittenFile.withStep(
            entry,
            step -> {
              StepRecord.Builder other = step.toBuilder();
              if (step.getStep().hasValue()) {
                other.getStepBuilder().setValue(ByteString.copyFromUtf8(OTHER));
              }
              return other.build();
            })
        : entry;
  }

  private static ExportEntry withReceipt(ExportEntry entry) {
    ReceiptRecord receipt =
        RewrittenFile.parse(ReceiptRecord.parser(), entry.getRecord().getRecord());
    String wire = receipt.getWire().toStringUtf8().replace("\"attempts\":1", "\"attempts\":2");
    ReceiptRecord changed =
        receipt.toBuilder()
            .setWire(
                ByteString.copyFromUtf8(
                    wire.replace("\"final_state\":\"SUCCEEDED\"", "\"final_state\":\"FAILED\"")))
            .build();
    return entry.toBuilder()
        .setRecord(entry.getRecord().toBuilder().setRecord(changed.toByteString()))
        .build();
  }
}
