package dev.bridle.core.work.receipt;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Finding;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.task.TaskFactStore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.event.v1.Event;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.CallStatus;
import dev.bridle.worker.v1.CalledModel;
import dev.bridle.worker.v1.CommandRun;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.FileOperation;
import dev.bridle.worker.v1.FileWrite;
import dev.bridle.worker.v1.ModelCallReport;
import dev.bridle.worker.v1.NetworkEgress;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.SideEffectReport;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Receipts of tasks, from their end to somebody who verifies them. */
class ReceiptIssuerTest extends LeasedTasks {
  private static final long MOST = 1_000_000_000_000L;
  private static final String HASH = "sha256:" + "0a".repeat(32);

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  private StoredReceipts receipts() {
    return new StoredReceipts(core);
  }

  @Test
  void aCompletedTaskLeavesAReceiptThatVerifiesWithThePublishedKey() {
    TaskLease lease = lease();
    complete(lease, "done");
    String task = lease.getTask().getId();

    Receipt receipt = receipts().of(task);
    Verification verification =
        new ReceiptVerifier(Trust.of(receipts().keys())).verify(receipt.bytes());

    assertThat(verification.failure()).isEmpty();
    assertThat(receipts().verified(session).isWhole()).isTrue();
    assertThat(receipts().verified(session).verdict()).isEqualTo(Verdict.VALID);
    assertThat(receipt.finalState()).isEqualTo("SUCCEEDED");
    assertThat(receipt.subject().id()).isEqualTo(task);
    assertThat(receipt.identifiers().tenantId()).contains("default");
  }

  @Test
  void taskOutcomeAndTerminalEventNameTheReceiptAndNoOtherEventDoes() {
    TaskLease lease = lease();
    complete(lease, "done");
    Task task = core.task(lease.getTask().getId());

    assertThat(outcomes(task.getId()).get(0).getReceiptId()).isEqualTo(task.getReceiptId());
    List<Event> events = core.eventsOf(task.getId());
    assertThat(events.get(events.size() - 1).getReceiptId()).isEqualTo(task.getReceiptId());
    assertThat(events.subList(0, events.size() - 1)).noneMatch(Event::hasReceiptId);
  }

  @Test
  void failedCanceledAndLostTasksLeaveReceiptsToo() {
    TaskLease failed = lease();
    fail(failed, false);
    Task waiting = core.submit(session);
    var unused = cancel(waiting.getId());
    core.submit(session);
    for (int attempt = 0; attempt < 3; attempt++) {
      worker.want(1);
      fail(worker.lease(), true);
    }

    JsonNode failure = receipts().of(failed.getTask().getId()).json().at("/lifecycle/failure");
    assertThat(failure.path("code").asText()).isEqualTo("no_luck");
    assertThat(failure.path("commitment").asText()).startsWith("sha256:");
    assertThat(failure.toString()).doesNotContain("No luck.");
    Receipt canceled = receipts().of(waiting.getId());
    assertThat(canceled.finalState()).isEqualTo("CANCELED");
    assertThat(canceled.json().at("/replay_input/determinism").asText()).isEqualTo("unavailable");
    assertThat(receipts().chain(session)).hasSize(3);
    assertThat(receipts().verified(session).isWhole()).isTrue();
  }

  @Test
  void theReceiptHasWhatWasReportedAndKeepsFreeTextOut() {
    TaskLease lease = lease();
    report(lease, "m", modelCall("large", 100, 50, 2_500_000));
    report(lease, "m2", modelCall("large", 1, 1, 1));
    report(lease, "m3", modelCall("small", 10, 5, 0));
    report(
        lease,
        "w",
        SideEffectReport.newBuilder()
            .setFileWrite(
                FileWrite.newBuilder()
                    .setPath("a.txt")
                    .setOperation(FileOperation.FILE_OPERATION_CREATE)
                    .setAfterSha256(HASH))
            .build());
    report(
        lease,
        "c",
        SideEffectReport.newBuilder()
            .setCommand(
                CommandRun.newBuilder()
                    .setCommand("rm -rf the-secret-folder")
                    .setStatus(CallStatus.CALL_STATUS_SUCCEEDED))
            .build());
    report(
        lease,
        "n",
        SideEffectReport.newBuilder()
            .setNetworkEgress(
                NetworkEgress.newBuilder()
                    .setDestination("example.com")
                    .setPurpose("the secret purpose"))
            .build());
    var dependency = core.workers().reportStep(dependency(lease, "llm:answer"));
    assertThat(dependency.getApplied()).isTrue();
    var artifact = core.workers().reportStep(artifact(lease, "a"));
    complete(lease, "done");

    ObjectNode receipt = receipts().of(lease.getTask().getId()).json();

    assertThat(receipt.at("/model_route/chosen_model/model").asText()).isEqualTo("large");
    assertThat(receipt.at("/cost/total").asDouble()).isEqualTo(2.500001);
    assertThat(receipt.at("/cost/currency").asText()).isEqualTo("USD");
    assertThat(receipt.at("/cost/provider_breakdown")).hasSize(2);
    assertThat(receipt.at("/cost/provider_breakdown/0/input_tokens").asInt()).isEqualTo(101);
    assertThat(receipt.at("/autonomy_budget/consumed/input_tokens").asInt()).isEqualTo(111);
    assertThat(receipt.at("/side_effects/fs_writes/0/path").asText()).isEqualTo("a.txt");
    assertThat(receipt.at("/side_effects/tool_calls/0/tool").asText()).isEqualTo("command");
    assertThat(receipt.at("/side_effects/network_egress/0/purpose").asText()).isEqualTo("redacted");
    assertThat(receipt.at("/redactions/0/field").asText())
        .isEqualTo("/side_effects/network_egress/0/purpose");
    assertThat(receipt.at("/redactions/0/proof_hash").asText()).startsWith("sha256:");
    assertThat(receipt.at("/replay_input/materials/1/id").asText()).isEqualTo("llm:answer");
    assertThat(receipt.at("/final_artifacts/0/artifact_id").asText())
        .isEqualTo(artifact.getStep().getArtifact().getId());
    assertThat(receipt.at("/final_artifacts/0/sha256").asText())
        .isEqualTo("sha256:" + artifact.getStep().getArtifact().getSha256());
    assertThat(receipt.toString()).doesNotContain("the-secret-folder", "the secret purpose");
  }

  @Test
  void listsAreCappedAndTheReceiptSaysHowLongTheyWere() {
    TaskLease lease = lease();
    for (int i = 0; i < 205; i++) {
      report(
          lease,
          "w" + i,
          SideEffectReport.newBuilder()
              .setFileWrite(
                  FileWrite.newBuilder()
                      .setPath("file-" + i)
                      .setOperation(FileOperation.FILE_OPERATION_MODIFY))
              .build());
    }
    complete(lease, "done");

    ObjectNode receipt = receipts().of(lease.getTask().getId()).json();

    assertThat(receipt.at("/side_effects/fs_writes")).hasSize(200);
    JsonNode list = receipt.path("metadata").path("bridle.lists").path("file_write");
    assertThat(list.path("count").asInt()).isEqualTo(205);
    assertThat(list.path("listed").asInt()).isEqualTo(200);
    assertThat(list.path("sha256").asText()).startsWith("sha256:");
  }

  @Test
  void aPersonaThatDisablesReceiptsGetsNone() {
    Task task = submitAs(ReceiptPolicy.RECEIPT_POLICY_DISABLED);
    var unused = cancel(task.getId());

    assertThat(core.task(task.getId()).hasReceiptId()).isFalse();
    assertThat(receipts().chain(session)).isEmpty();
  }

  @Test
  void aPersonaThatRequiresReceiptsGetsThemWithItsTierAndVersion() {
    Task task = submitAs(ReceiptPolicy.RECEIPT_POLICY_REQUIRED);
    var unused = cancel(task.getId());

    ObjectNode receipt = receipts().of(task.getId()).json();
    assertThat(receipt.at("/trust/start_tier").asText()).isEqualTo("suggest");
    assertThat(receipt.at("/trust/policy_ref").asText()).isEqualTo(task.getPersonaId() + "@1.2.3");
  }

  @Test
  void aSubmissionMayDeclineItsReceiptUnlessThePersonaRequiresOne() {
    Task task =
        core.tasks()
            .submitSessionTask(TestCore.submission(session).toBuilder().setReceipt(false).build());
    var unused = cancel(task.getId());

    assertThat(core.task(task.getId()).hasReceiptId()).isFalse();
    Task required = submitAs(ReceiptPolicy.RECEIPT_POLICY_REQUIRED);
    assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "receipt",
        () ->
            core.tasks()
                .submitSessionTask(
                    TestCore.submission(session).toBuilder()
                        .setPersonaId(required.getPersonaId())
                        .setReceipt(false)
                        .build()));
  }

  @Test
  void receiptsOfAnEarlierKeyStillVerifyAfterARotation() {
    complete(lease(), "before");
    core.core().admit("operator");
    var rotated =
        OAuthAdminServiceGrpc.newBlockingStub(core.as("operator"))
            .rotateSigningKey(RotateSigningKeyRequest.newBuilder().setEndOldKeys(true).build());
    complete(lease(), "after");

    List<String> signers =
        receipts().chain(session).stream()
            .map(record -> Receipt.parse(record.getWire().toByteArray()))
            .map(receipt -> receipt.signatures().get(0).keyId())
            .toList();
    assertThat(signers).hasSize(2).doesNotHaveDuplicates();
    assertThat(signers.get(1)).isEqualTo(rotated.getReceiptKey().getId());
    assertThat(receipts().verified(session).isWhole()).isTrue();
    assertThat(receipts().verified(session).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void aServerWithoutAKeyOwesTheReceiptAndOneWithAKeyIssuesIt() {
    String key = core.key();
    core.close();
    core = TestCore.restart(directory, options -> options.withAccess(AccessOptions.NONE), key);
    Task task = core.submit(session);
    var unused = cancel(task.getId());
    assertThat(core.task(task.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    assertThat(core.task(task.getId()).hasReceiptId()).isFalse();
    core.close();

    core = TestCore.restart(directory, options -> options, key);

    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() -> assertThat(core.task(task.getId()).hasReceiptId()).isTrue());
    assertThat(receipts().of(task.getId()).finalState()).isEqualTo("CANCELED");
    assertThat(outcomes(task.getId()).get(0).getReceiptId())
        .isEqualTo(core.task(task.getId()).getReceiptId());
    worker = new TestWorker(core.owner(), "", "w1");
  }

  @Test
  void aTaskWhoseFactsDoNotFitTheFormatEndsWithAMinimalReceipt() {
    TaskLease lease = lease();
    report(
        lease,
        "w",
        SideEffectReport.newBuilder()
            .setFileWrite(
                FileWrite.newBuilder()
                    .setPath("a.txt")
                    .setOperation(FileOperation.FILE_OPERATION_CREATE))
            .build());
    String task = lease.getTask().getId();
    core.store()
        .transact(
            tr -> {
              RecordStore<TaskFactRecord> facts = TaskFactStore.TASK_FACT.store(KeyLayout.root());
              TaskFactRecord fact =
                  facts.withPrefix(tr, Tenants.DEFAULT, task + "/", task + "/", 1).get(0);
              TaskFactRecord damaged =
                  fact.toBuilder().setPart(ByteString.copyFromUtf8("{\"path\":\"\"}")).build();
              facts.update(
                  tr,
                  Tenants.DEFAULT,
                  TaskFactStore.TASK_FACT.idOf(fact).orElseThrow(),
                  fact,
                  damaged);
              return true;
            });

    complete(lease, "done");

    Receipt receipt = receipts().of(task);
    assertThat(receipt.metadata("bridle.minimal")).isPresent();
    assertThat(receipt.json().at("/side_effects/fs_writes")).isEmpty();
    assertThat(receipts().verified(session).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void noNumberOfTokensKeepsATaskFromEnding() {
    TaskLease lease = lease();
    core.store()
        .transact(
            tr -> {
              TaskRecord before = core.record(lease.getTask().getId());
              TaskRecord.Builder after = before.toBuilder();
              after.getUsageBuilder().setTokens(1L << 60).setInputTokens(1L << 60);
              TaskStore.TASK
                  .store(KeyLayout.root())
                  .update(tr, Tenants.DEFAULT, lease.getTask().getId(), before, after.build());
              return true;
            });

    complete(lease, "done");

    assertThat(receipts().of(lease.getTask().getId()).metadata("bridle.minimal")).isPresent();
    assertThat(receipts().verified(session).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void sumsOfTokensStayWhereJsonIsStillExact() {
    TaskLease lease = lease();
    for (int call = 0; call < 11; call++) {
      var request = of(lease, "last-" + call).setModelCall(modelCall("large", MOST, MOST, 0));
      for (int i = 0; i < 99; i++) {
        request.addEarlierReports(
            StepReport.newBuilder()
                .setStepKey(call + "-" + i)
                .setModelCall(modelCall("large", MOST, MOST, 0)));
      }
      report(request);
    }
    complete(lease, "done");

    ObjectNode receipt = receipts().of(lease.getTask().getId()).json();
    assertThat(receipt.at("/autonomy_budget/consumed/input_tokens").asLong())
        .isEqualTo(1_000_000_000_000_000L);
    assertThat(receipt.at("/cost/provider_breakdown/0/output_tokens").asLong())
        .isEqualTo(1_000_000_000_000_000L);
  }

  @Test
  void aFailureCodeThatIsNoShortNameStaysInTheEvent() {
    TaskLease lease = lease();
    var unused =
        core.workers()
            .failTask(
                FailTaskRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setFailure(
                        Failure.newBuilder().setCode("the secret code").setMessage("No luck."))
                    .build());

    ObjectNode receipt = receipts().of(lease.getTask().getId()).json();
    assertThat(receipt.at("/lifecycle/failure/code").asText()).isEqualTo("redacted");
    assertThat(receipt.at("/redactions/0/field").asText()).isEqualTo("/lifecycle/failure/code");
    assertThat(receipt.toString()).doesNotContain("the secret code");
  }

  @Test
  void anAgentCrowdsNoApprovalOrArtifactOutOfItsReceipt() {
    TaskLease lease = lease();
    for (int i = 0; i < 20; i++) {
      report(
          lease,
          "w" + i,
          SideEffectReport.newBuilder()
              .setFileWrite(
                  FileWrite.newBuilder()
                      .setPath("f".repeat(4000) + i)
                      .setOperation(FileOperation.FILE_OPERATION_MODIFY))
              .build());
    }
    var artifact = core.workers().reportStep(artifact(lease, "a"));
    assertThat(artifact.getApplied()).isTrue();
    complete(lease, "done");

    ObjectNode receipt = receipts().of(lease.getTask().getId()).json();
    assertThat(receipt.at("/side_effects/fs_writes").size()).isBetween(10, 14);
    assertThat(receipt.path("metadata").path("bridle.not_reported").toString())
        .contains("/side_effects/fs_writes");
    assertThat(receipt.at("/final_artifacts")).hasSize(1);
  }

  @Test
  void aReceiptThatIsNeitherThereNorOwedIsOwedAfterARepair() {
    String key = core.key();
    core.close();
    core = TestCore.restart(directory, options -> options.withAccess(AccessOptions.NONE), key);
    Task task = core.submit(session);
    var unused = cancel(task.getId());
    StorageChecker checker =
        new StorageChecker(core.store(), KeyLayout.root(), CoreRecords.CATALOG);
    core.store()
        .transact(
            tr -> {
              OwedReceipts.RECEIPT_OWED
                  .store(KeyLayout.root())
                  .remove(tr, Tenants.DEFAULT, task.getId());
              return true;
            });

    assertThat(checker.check(CheckProgress.SILENT).findings())
        .extracting(Finding::kind)
        .contains(FaultKind.RECEIPT_MISSING);
    var repaired = checker.repair(CheckProgress.SILENT);
    assertThat(repaired.repairs()).isPositive();
    assertThat(checker.check(CheckProgress.SILENT).findings()).isEmpty();
  }

  private TaskLease lease() {
    var unused = core.submit(session);
    worker.want(1);
    return worker.lease();
  }

  private Task submitAs(ReceiptPolicy policy) {
    String persona =
        PersonaServiceGrpc.newBlockingStub(core.owner())
            .createPersona(
                CreatePersonaRequest.newBuilder()
                    .setName("careful")
                    .setDescription("Only suggests.")
                    .setEntryWorkflow("review.harn")
                    .setVersion("1.2.3")
                    .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_SUGGEST)
                    .setReceiptPolicy(policy)
                    .build())
            .getId();
    return core.tasks()
        .submitSessionTask(TestCore.submission(session).toBuilder().setPersonaId(persona).build());
  }

  private void report(TaskLease lease, String key, SideEffectReport effect) {
    report(of(lease, key).setSideEffect(effect));
  }

  private void report(TaskLease lease, String key, ModelCallReport call) {
    report(of(lease, key).setModelCall(call));
  }

  private void report(ReportStepRequest.Builder request) {
    assertThat(core.workers().reportStep(request.build()).getApplied()).isTrue();
  }

  private static ReportStepRequest.Builder of(TaskLease lease, String key) {
    return ReportStepRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey(key);
  }

  private static ModelCallReport modelCall(String model, long input, long output, long micros) {
    return ModelCallReport.newBuilder()
        .setModel(CalledModel.newBuilder().setProvider("acme").setModel(model))
        .setInputTokens(input)
        .setOutputTokens(output)
        .setCostMicros(micros)
        .setCurrency(micros > 0 ? "USD" : "")
        .build();
  }
}
