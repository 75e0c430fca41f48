package dev.bridle.core.work.report;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.worker.v1.DependencyKind;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Values that a handler can't recompute, as they are recorded for receipts and replay. */
class DependencyTest extends LeasedTasks {
  private static final ByteString VALUE = ByteString.copyFromUtf8("{\"a\":1}");
  private static final String INPUT = "sha256:" + "0c".repeat(32);

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @Test
  void kindInputHashAndCommitmentAreInTheEventAndInTheRecord() {
    TaskLease lease = lease();
    report(lease, "llm:main:1", DependencyKind.DEPENDENCY_KIND_LLM, INPUT);

    StepRecord record = record(lease, "llm:main:1");
    Event event = core.eventsOf(lease.getTask().getId()).get(2);
    String commitment = "sha256:" + HexFormat.of().formatHex(record.getCommitment().toByteArray());
    assertThat(event.getPayload().toStringUtf8())
        .isEqualTo(
            "{\"key\":\"llm:main:1\",\"commitment\":\""
                + commitment
                + "\",\"size\":7,\"kind\":\"llm\",\"input_hash\":\""
                + INPUT
                + "\"}");
    assertThat(record.getCommitment())
        .isEqualTo(Commitment.of(record.getSalt().toByteArray(), VALUE));
    assertThat(record.getKind()).isEqualTo(DependencyKind.DEPENDENCY_KIND_LLM);
    assertThat(record.getInputHash()).isEqualTo(INPUT);
    assertThat(record.getSequence()).isEqualTo(event.getSequence());
    assertThat(record.getFence()).isEqualTo(lease.getFence());
  }

  @Test
  void equalReportsHaveEqualHashesAndOthersHaveNot() {
    TaskLease lease = lease();
    report(lease, "llm:main:1", DependencyKind.DEPENDENCY_KIND_LLM, INPUT);
    report(lease, "llm:main:2", DependencyKind.DEPENDENCY_KIND_LLM, INPUT);
    TaskLease other = lease();
    report(other, "llm:main:1", DependencyKind.DEPENDENCY_KIND_LLM, INPUT);

    assertThat(record(lease, "llm:main:1").getRequestHash())
        .hasSize(32)
        .isEqualTo(record(other, "llm:main:1").getRequestHash())
        .isNotEqualTo(record(lease, "llm:main:2").getRequestHash());
  }

  @Test
  void theKeyHasThePrefixOfItsKindWhereOneIsStated() {
    TaskLease lease = lease();
    for (DependencyKind kind : DependencyKind.values()) {
      if (kind != DependencyKind.UNRECOGNIZED
          && kind != DependencyKind.DEPENDENCY_KIND_UNSPECIFIED
          && kind != DependencyKind.DEPENDENCY_KIND_SECRET) {
        String prefix = kind.name().substring("DEPENDENCY_KIND_".length()).toLowerCase(Locale.ROOT);
        report(lease, prefix + ":one", kind, "");
        refused(lease, "step_key", "other:one", kind, "");
        refused(lease, "step_key", prefix, kind, "");
      }
    }
    report(lease, "any key", DependencyKind.DEPENDENCY_KIND_UNSPECIFIED, "");
    refused(lease, "dependency.kind", "secret:one", DependencyKind.DEPENDENCY_KIND_SECRET, "");
    refused(lease, "dependency.input_hash", "x", DependencyKind.DEPENDENCY_KIND_UNSPECIFIED, "0c");
  }

  @Test
  void theStepWithinWhoseComputationItWasReportedIsRecorded() {
    TaskLease lease = lease();
    var unused =
        core.workers()
            .reportStep(
                dependency(lease, "inner").toBuilder()
                    .setParentStepKey("outer")
                    .addEarlierReports(
                        StepReport.newBuilder()
                            .setStepKey("told")
                            .setParentStepKey("inner")
                            .setProgress(ProgressReport.newBuilder().setText("half")))
                    .build());

    assertThat(record(lease, "inner").getStep().getParentStepKey()).isEqualTo("outer");
    assertThat(record(lease, "told").getStep().getParentStepKey()).isEqualTo("inner");
  }

  @Test
  void aReportOfBeforeHasTheSameEventAsBefore() {
    TaskLease lease = lease();
    var unused = core.workers().reportStep(dependency(lease, "own"));
    assertThat(core.eventsOf(lease.getTask().getId()).get(2).getPayload().toStringUtf8())
        .matches("\\{\"key\":\"own\",\"commitment\":\"sha256:[0-9a-f]{64}\",\"size\":7}");
  }

  private TaskLease lease() {
    worker.want(1);
    var unused = core.submit(session);
    return worker.lease();
  }

  private void report(TaskLease lease, String key, DependencyKind kind, String inputHash) {
    var unused =
        core.workers()
            .reportStep(
                dependency(lease, key).toBuilder()
                    .setDependency(
                        DependencyReport.newBuilder()
                            .setValue(VALUE)
                            .setKind(kind)
                            .setInputHash(inputHash))
                    .build());
  }

  private void refused(
      TaskLease lease, String param, String key, DependencyKind kind, String inputHash) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, param, () -> report(lease, key, kind, inputHash));
  }

  private StepRecord record(TaskLease lease, String key) {
    Steps steps = new Steps(new StepStore(KeyLayout.root()));
    return core.store()
        .read(tr -> steps.findRecord(tr, Tenants.DEFAULT, lease.getTask().getId(), key))
        .orElseThrow();
  }
}
