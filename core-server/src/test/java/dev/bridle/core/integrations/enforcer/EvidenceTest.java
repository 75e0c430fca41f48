package dev.bridle.core.integrations.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.permission.AskedTasks;
import dev.bridle.core.work.redaction.RedactedTask;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.ApprovalRuleServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalRuleRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.receipt.v1.ExportEvidenceRequest;
import dev.bridle.receipt.v1.GetReceiptKeysRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.ReportDivergenceRequest;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import dev.bridle.worker.v1.WithdrawalReason;
import io.grpc.Channel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Anybody can check offline, with a bundle of evidence, that people have signed what was executed;
 * and whoever has the server's keys can't make one up.
 */
final class EvidenceTest extends AskedTasks {
  @Tag("slow")
  @Test
  void aHundredApprovalsAreVerifiedFromTheReceiptToTheSignaturesOfPeople() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    Phone ben = Phone.of(core, "ben", "ben-1");
    List<Bundle> bundles = new ArrayList<>();
    for (int task = 0; task < 4; task++) {
      TaskLease lease = begin();
      for (int step = 0; step < 25; step++) {
        lease = approved(lease, "step-" + step, "make part-" + step, step % 2 == 0 ? ada : ben);
      }
      bundles.add(ended(lease));
    }

    Map<String, List<List<String>>> said = verifiers().verify(bundles, published());

    assertThat(said).containsKey("java");
    said.forEach(
        (verifier, results) ->
            assertThat(results)
                .as(verifier)
                .hasSize(4)
                .allSatisfy(
                    lines -> {
                      assertThat(lines).hasSize(26).first().isEqualTo("valid");
                      assertThat(lines)
                          .filteredOn("approved; signed by ada; executed as signed"::equals)
                          .hasSize(13);
                      assertThat(lines)
                          .filteredOn("approved; signed by ben; executed as signed"::equals)
                          .hasSize(12);
                    }));
  }

  @Test
  void eachKindOfTamperingIsRefusedByItsName() {
    Bundle genuine = threeApprovals();
    genuine.cutEnd();
    genuine.signEnrolments(Tamperings.SERVER);
    genuine.signReceipt(Tamperings.SERVER);
    Map<String, Tamperings.Tampering> kinds = Tamperings.kinds();
    List<Bundle> bundles = new ArrayList<>(List.of(genuine));
    for (Tamperings.Tampering kind : kinds.values()) {
      Bundle changed = genuine.copy();
      kind.change().accept(changed);
      bundles.add(changed);
    }

    Map<String, List<List<String>>> said = verifiers().verify(bundles, trusted());

    said.forEach(
        (verifier, results) -> {
          assertThat(results.get(0))
              .as(verifier)
              .containsExactly(
                  "valid",
                  "approved; signed by ada; executed as signed",
                  "approved; signed by ada, ben; executed as signed",
                  "denied; signed by ada; not executed");
          int number = 1;
          for (Map.Entry<String, Tamperings.Tampering> kind : kinds.entrySet()) {
            Set<String> refused =
                results.get(number++).stream()
                    .filter(line -> line.matches("\\w+") && !line.equals("valid"))
                    .collect(Collectors.toSet());
            assertThat(refused)
                .as(verifier + ": " + kind.getKey())
                .containsExactly(kind.getValue().check());
          }
        });
    assertThat(kinds).hasSizeGreaterThanOrEqualTo(20);
  }

  @Test
  void whatAPersonAnsweredByACredentialIsSaidToBeTheServersWord() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    rule("two", "make two*", 2);
    TaskLease lease = begin();
    String alone = ask(lease, "1", "make one").getRequestId();
    var unusedAlone = approve("ben", alone);
    lease = next(lease.getTask().getId());
    var unused = ask(lease, "1", "make one");
    String both = ask(lease, "2", "make two").getRequestId();
    ada.decide(awaitAsked(ada), Answer.ALLOW);
    await().until(() -> read(both).getResponse().getAnswersCount() == 1);
    var unusedBoth = approve("ben", both);
    lease = next(lease.getTask().getId());
    var unusedUse = ask(lease, "2", "make two");

    assertSaid(
        ended(lease),
        "valid",
        "approved; only the server says that it was answered by ben; not checked:" + " evidence",
        "approved; signed by ada; only the server says that it was answered by ben;"
            + " executed as signed");
  }

  @Test
  void whatWasDoneOtherwiseIsNotSaidToBeExecutedAsSigned() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    TaskLease lease = approved(begin(), "1", "make deploy", ada);
    var unused =
        core.workers()
            .reportDivergence(
                ReportDivergenceRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setStepKey("d:1")
                    .setQuestionStepKey("1")
                    .setTitle("make deploy")
                    .setDifference(ByteString.copyFromUtf8("{\"cwd\":{\"acted\":\"/srv\"}}"))
                    .build());

    Bundle bundle = ended(lease);

    assertThat(bundle.receipt().at("/metadata/bridle.acted_differently"))
        .singleElement()
        .isEqualTo(bundle.approval(0).get("approval_id"));
    assertSaid(bundle, "valid", "executed");
  }

  @Test
  void anApprovalOfAnActionThatHasChangedMeanwhileIsNotExecuted() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    TaskLease lease = approved(begin(), "1", "make deploy", ada);
    var unused =
        core.workers()
            .withdrawQuestion(
                WithdrawQuestionRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setStepKey("1")
                    .setReason(WithdrawalReason.WITHDRAWAL_REASON_CHANGED)
                    .build());

    assertSaid(ended(lease), "valid", "approved; signed by ada; not executed");
  }

  @Test
  void anActionThatIsNotKnownExactlyIsNotSaidToBeExecutedAsSigned() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    RequestPermissionRequest.Builder asked = wanted(lease, "1", "make deploy");
    asked.getActionBuilder().setNotExact("It does not say which command runs.");
    var unused = ask(asked);
    ada.decide(awaitAsked(ada), Answer.ALLOW);
    TaskLease again = next(lease.getTask().getId());
    asked.setFence(again.getFence());
    assertThat(ask(asked).getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);

    Bundle bundle = ended(again);

    assertSaid(
        bundle,
        "valid",
        "approved; signed by ada; the agent did not say exactly what it would do; executed");
    bundle.proof(0).remove("not_exact");
    bundle.cutEnd();
    bundle.signReceipt(Tamperings.SERVER);
    verifiers()
        .verify(List.of(bundle), trusted())
        .forEach(
            (verifier, results) ->
                assertThat(results.get(0)).as(verifier).containsExactly("valid", "artifact"));
  }

  @Test
  void theReasonThatAPersonHasSignedIsThereAndNoOther() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    var unused = ask(lease, "1", "make deploy");
    Artifact shown = awaitAsked(ada);
    GivenReason reason =
        GivenReason.salted(
            "Only \u201cstaging\u201d \ud83d\udea6", GivenReason.Salt.random(new SecureRandom()));
    Decision signed = ada.sign(Phone.once(shown, Answer.ALLOW).withReason(reason));
    ada.send(shown.requestId(), ada.submission(signed, reason));
    TaskLease again = next(lease.getTask().getId());
    var unusedUse = ask(again, "1", "make deploy");
    Bundle genuine = ended(again);
    assertThat(genuine.all("reason").get(0).get("reason").asText()).isEqualTo(reason.text());
    assertSaid(genuine, "valid", "approved; signed by ada; executed as signed");
    genuine.cutEnd();
    Bundle without = genuine.copy();
    without.remove("reason", 0);
    Bundle changed = genuine.copy();
    changed.all("reason").get(0).put("reason", "Go ahead.");
    Bundle salted = genuine.copy();
    salted.all("reason").get(0).put("salt", "AAAA");
    Bundle twice = genuine.copy();
    twice.add("reason", twice.all("reason").get(0).deepCopy());
    Bundle ofNothing = genuine.copy();
    ofNothing.add("reason", ofNothing.all("reason").get(0).deepCopy().put("request_id", "harp_x"));

    verifiers()
        .verify(List.of(without, changed, salted, twice, ofNothing), published())
        .forEach(
            (verifier, results) -> {
              assertThat(results.get(0))
                  .as(verifier)
                  .contains("approved; signed by ada; executed as signed; not checked: reason");
              assertThat(results.subList(1, 5))
                  .as(verifier)
                  .allSatisfy(lines -> assertThat(lines).contains("reason"));
            });

    var unusedRedaction =
        RedactedTask.redact(
            core.owner(), RedactedObject.REDACTED_OBJECT_TASK, lease.getTask().getId());
    await().until(() -> exported(lease.getTask().getId(), core.owner()).all("reason").isEmpty());
  }

  @Test
  void redactionTakesWhatWasShownAndLeavesWhoHasSigned() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    TaskLease lease = approved(begin(), "1", "make deploy", ada);
    String task = lease.getTask().getId();
    Bundle before = ended(lease);

    var unused = RedactedTask.redact(core.owner(), RedactedObject.REDACTED_OBJECT_TASK, task);
    await().until(() -> exported(task, core.owner()).all("artifact").isEmpty());
    await()
        .until(
            () ->
                exported(task, core.owner()).all("event").stream()
                    .noneMatch(event -> event.has("payload")));

    Bundle after = exported(task, core.owner());
    assertThat(after.evidence(0)).isEqualTo(before.evidence(0));
    assertThat(after.text()).doesNotContain("make deploy");
    assertSaid(after, "valid", "approved; signed by ada; not checked: artifact, executed");
  }

  @Test
  void aDeviceThatIsRevokedLaterHasSignedBefore() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    TaskLease lease = approved(begin(), "1", "make deploy", ada);
    String task = lease.getTask().getId();
    var unused = ended(lease);
    var unusedRevoked =
        ApprovalDeviceServiceGrpc.newBlockingStub(core.owner())
            .revokeApprovalDevice(
                RevokeApprovalDeviceRequest.newBuilder()
                    .setApprovalDeviceId(ada.device().getId())
                    .build());

    Bundle bundle = exported(task, core.owner());

    assertThat(bundle.all("revocation")).hasSize(1);
    assertSaid(bundle, "valid", "approved; signed by ada; executed as signed");
  }

  @Test
  void whoMayNotReadPermissionsOrEventsGetsTheSignaturesAlone() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    TaskLease lease = approved(begin(), "1", "make deploy", ada);
    var unused = ended(lease);

    Bundle bundle =
        exported(lease.getTask().getId(), core.as("auditor", List.of("receipts:read"), List.of()));

    assertThat(bundle.header().get("left_out").toString())
        .isEqualTo("[\"artifact\",\"reason\",\"event\"]");
    assertThat(bundle.text()).doesNotContain("make deploy");
    assertThat(bundle.all("evidence")).hasSize(1);
    assertSaid(bundle, "valid", "approved; signed by ada; not checked: artifact, executed");
  }

  /** Returns the evidence of a task with one yes, one of two people, and one no. */
  private Bundle threeApprovals() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    Phone ben = Phone.of(core, "ben", "ben-1");
    rule("two", "make two*", 2);
    TaskLease lease = approved(begin(), "1", "make one", ada);
    String both = ask(lease, "2", "make two").getRequestId();
    ada.decide(awaitAsked(ada), Answer.ALLOW);
    await().until(() -> read(both).getResponse().getAnswersCount() == 1);
    lease = used(lease, "2", "make two", ben, Answer.ALLOW);
    String no = ask(lease, "3", "make three").getRequestId();
    ada.decide(awaitAsked(ada), Answer.DENY);
    await().until(() -> read(no).getStatus() == PermissionStatus.PERMISSION_STATUS_DENIED);
    return ended(next(lease.getTask().getId()));
  }

  /** Asks, has it approved on a device, and uses it. Returns the lease that has used it. */
  private TaskLease approved(TaskLease lease, String step, String command, Phone phone) {
    var unused = ask(lease, step, command);
    return used(lease, step, command, phone, Answer.ALLOW);
  }

  private TaskLease used(TaskLease lease, String step, String command, Phone phone, Answer answer) {
    phone.decide(awaitAsked(phone), answer);
    TaskLease again = next(lease.getTask().getId());
    assertThat(ask(again, step, command).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    return again;
  }

  private static Artifact awaitAsked(Phone phone) {
    await().until(() -> !phone.asked().isEmpty());
    return phone.asked().get(0);
  }

  private Bundle ended(TaskLease lease) {
    var unused = core.workers().completeTask(WorkerRequests.complete(lease).build());
    return exported(lease.getTask().getId(), core.owner());
  }

  private Bundle exported(String task, Channel channel) {
    StringBuilder text = new StringBuilder();
    ReceiptServiceGrpc.newBlockingStub(channel)
        .exportEvidence(
            ExportEvidenceRequest.newBuilder().setReceiptId(core.task(task).getReceiptId()).build())
        .forEachRemaining(piece -> text.append(piece.getData().toStringUtf8()));
    return Bundle.of(text.toString());
  }

  /** The key of the one who tampers, and that of the core, which has signed what was shown. */
  private KeySet trusted() {
    List<VerificationKey> keys = new ArrayList<>(published().keys());
    keys.add(Tamperings.SERVER.verificationKey(KeyValidity.UNBOUNDED));
    return KeySet.of(keys);
  }

  private KeySet published() {
    return KeySet.parse(
        ReceiptServiceGrpc.newBlockingStub(core.owner())
            .getReceiptKeys(GetReceiptKeysRequest.getDefaultInstance())
            .getDocument()
            .toByteArray());
  }

  /** Checks what all verifiers say of a bundle. */
  private void assertSaid(Bundle bundle, String... lines) {
    verifiers()
        .verify(List.of(bundle), published())
        .forEach(
            (verifier, results) -> assertThat(results.get(0)).as(verifier).containsExactly(lines));
  }

  private EvidenceVerifiers verifiers() {
    return new EvidenceVerifiers(directory);
  }

  private void rule(String name, String command, int approvers) {
    var unused =
        ApprovalRuleServiceGrpc.newBlockingStub(core.owner())
            .createApprovalRule(
                CreateApprovalRuleRequest.newBuilder()
                    .setName(name)
                    .addCommands(command)
                    .setApprovers(approvers)
                    .build());
  }
}
