package dev.bridle.core.integrations.enforcer;

import static dev.bridle.core.integrations.enforcer.Bundle.Node.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.permission.AskedTasks;
import dev.bridle.core.work.redaction.RedactedTask;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.ApprovalRuleServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalRuleRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.receipt.v1.ExportEvidenceRequest;
import dev.bridle.receipt.v1.GetReceiptKeysRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Anybody can check offline, with a bundle of evidence, that people have signed what was executed;
 * and whoever has the server's keys can't make one up.
 */
final class EvidenceTest extends AskedTasks {
  /** A key that the verifiers trust as the server's: whoever changes a bundle has it, too. */
  private static final SigningKey SERVER = SigningKey.ofSeed(new byte[32]);

  private static final KeySet TRUSTED =
      KeySet.of(List.of(SERVER.verificationKey(KeyValidity.UNBOUNDED)));

  /** A key that no device has. */
  private static final SigningKey THIEF =
      SigningKey.ofSeed(ByteString.copyFromUtf8("t".repeat(32)).toByteArray());

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
    genuine.signEnrolments(SERVER);
    genuine.signReceipt(SERVER);
    Map<String, Tampering> kinds = kinds();
    List<Bundle> bundles = new ArrayList<>(List.of(genuine));
    for (Tampering kind : kinds.values()) {
      Bundle changed = genuine.copy();
      kind.change().accept(changed);
      bundles.add(changed);
    }

    Map<String, List<List<String>>> said = verifiers().verify(bundles, TRUSTED);

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
          for (Map.Entry<String, Tampering> kind : kinds.entrySet()) {
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

  /**
   * A change of a bundle.
   *
   * @param check the check that has to fail
   */
  private record Tampering(String check, Consumer<Bundle> change) {
    /** A change after which the receipt is signed by the server's own key. */
    static Tampering signed(String check, Consumer<Bundle> change) {
      return new Tampering(check, change.andThen(bundle -> bundle.signReceipt(SERVER)));
    }

    /** A change after which the enrolments are signed by the server's own key, too. */
    static Tampering signedWhole(String check, Consumer<Bundle> change) {
      return signed(check, change.andThen(bundle -> bundle.signEnrolments(SERVER)));
    }
  }

  private static Map<String, Tampering> kinds() {
    Map<String, Tampering> kinds = new LinkedHashMap<>();
    changesOfBytes(kinds);
    changesOfAnswers(kinds);
    changesOfWhatWasShown(kinds);
    changesOfTheLog(kinds);
    return kinds;
  }

  /** What anybody can change who carries the bundle. */
  private static void changesOfBytes(Map<String, Tampering> kinds) {
    kinds.put(
        "a member of the receipt", new Tampering("hash", b -> b.approval(0).put("actor", "eve")));
    kinds.put(
        "another's signature of the receipt",
        new Tampering("signature", b -> spoil((ObjectNode) b.receipt().get("signatures").get(0))));
    kinds.put("no evidence", new Tampering("evidence", b -> b.remove("evidence", 1)));
    kinds.put("evidence twice", new Tampering("evidence", b -> b.add("evidence", b.evidence(0))));
    kinds.put(
        "a member of the evidence",
        new Tampering("evidence_hash", b -> b.answer(0, 0).put("actor", "eve")));
    kinds.put(
        "an answer left out of the evidence",
        new Tampering(
            "evidence_hash",
            b -> {
              ((ArrayNode) b.evidence(1).get("decisions")).remove(1);
              b.remove("artifact", 2);
            }));
    kinds.put(
        "a revocation before the decision",
        new Tampering(
            "revocation",
            b ->
                b.add(
                    "revocation",
                    b.receipt()
                        .objectNode()
                        .put("revoked_at", "2020-01-01T00:00:00Z")
                        .put(
                            "approval_device_id",
                            b.enrolment(0, 0).get("approval_device_id").textValue()))));
  }

  private static void spoil(ObjectNode signature) {
    byte[] bytes = Base64Url.decode(signature.get("signature").textValue()).orElseThrow();
    bytes[7] ^= 1;
    signature.put("signature", Base64Url.encode(bytes));
  }

  /** What a server can try that makes answers up, and signs what it says with its own keys. */
  private static void changesOfAnswers(Map<String, Tampering> kinds) {
    kinds.put(
        "the evidence of another task",
        Tampering.signed(
            "approval", b -> object(b.evidence(0), "approval").put("task_id", "task_other")));
    kinds.put(
        "fewer required",
        Tampering.signed("quorum", b -> object(b.evidence(1), "quorum").put("required", 1)));
    kinds.put(
        "another rule",
        Tampering.signed(
            "quorum",
            b -> object(b.evidence(1).get("quorum"), "rule").put("usable_for_seconds", 9)));
    kinds.put(
        "one person counted twice",
        Tampering.signed(
            "quorum",
            b -> {
              b.answer(1, 1).put("actor", "ada");
              ((ArrayNode) b.proof(1).get("actors")).remove(1);
            }));
    kinds.put(
        "somebody who has not signed",
        Tampering.signed("quorum", b -> ((ArrayNode) b.proof(0).get("actors")).add("eve")));
    kinds.put(
        "a device of somebody else",
        Tampering.signed(
            "enrolment",
            b -> {
              b.answer(0, 0).put("actor", "eve");
              b.enrolment(0, 0).put("principal", "eve");
              ((ArrayNode) b.proof(0).get("actors")).removeAll().add("eve");
            }));
    kinds.put(
        "a device that was enrolled later",
        Tampering.signedWhole(
            "enrolment", b -> b.enrolment(0, 0).put("enrolled_at", "2999-01-01T00:00:00Z")));
    kinds.put(
        "another key of the device",
        Tampering.signedWhole(
            "decision_signature",
            b ->
                b.enrolment(0, 0)
                    .put(
                        "signing_key",
                        Base64Url.encode(
                            THIEF.verificationKey(KeyValidity.UNBOUNDED).publicKey()))));
    kinds.put(
        "a no made a yes",
        Tampering.signedWhole(
            "decision_signature",
            b -> {
              countAsApproved(b);
              object(b.answer(2, 0), "decision").put("decision", "allow");
            }));
    kinds.put(
        "a no counted as a yes", Tampering.signedWhole("decision", EvidenceTest::countAsApproved));
    kinds.put(
        "a decision counted twice",
        Tampering.signedWhole(
            "decision",
            b -> {
              b.answer(1, 0).set("decision", b.answer(0, 0).get("decision").deepCopy());
              b.remove("artifact", 1);
            }));
    kinds.put(
        "a decision counted after its end",
        Tampering.signedWhole(
            "decision",
            b ->
                b.answer(0, 0)
                    .put("answered_at", "2998-01-01T00:00:00Z")
                    .put("asked_until", "2999-01-01T00:00:00Z")));
  }

  private static void countAsApproved(Bundle bundle) {
    bundle.answer(2, 0).put("approved", true);
    object(bundle.evidence(2), "approval").put("decision", "approved");
    bundle.approval(2).put("decision", "approved");
    bundle.proof(2).put("approved", 1).put("denied", 0);
  }

  private static void changesOfWhatWasShown(Map<String, Tampering> kinds) {
    kinds.put(
        "other content",
        new Tampering(
            "artifact",
            b -> object(b.artifact(0), "payload").put("content", "{\"command\":\"rm -r /\"}")));
    kinds.put(
        "other content, hashed again",
        new Tampering(
            "artifact",
            b -> {
              object(b.artifact(0), "payload").put("prompt", "Nothing to see.");
              hashAgain(b.artifact(0));
            }));
    kinds.put(
        "another salt",
        new Tampering("artifact", b -> object(b.artifact(0), "payload").put("salt", "AAAA")));
    kinds.put(
        "what was shown for another approval",
        new Tampering(
            "artifact",
            b -> {
              String one = b.artifact(0).get("requestId").textValue();
              ObjectNode other = b.artifact(1).deepCopy();
              b.remove("artifact", 0);
              b.add("artifact", other.put("requestId", one));
              hashAgain(other);
            }));
    kinds.put(
        "what nobody has decided about",
        new Tampering(
            "artifact",
            b -> {
              ObjectNode more = b.artifact(0).deepCopy().put("requestId", "harp_other");
              hashAgain(more);
              b.add("artifact", more);
            }));
  }

  private static void hashAgain(ObjectNode artifact) {
    try {
      ObjectNode rest = artifact.deepCopy();
      rest.remove("artifactHash");
      artifact.put("artifactHash", HarpJson.hex(HarpJson.canonical(rest)));
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  private static void changesOfTheLog(Map<String, Tampering> kinds) {
    kinds.put("an event left out", new Tampering("log", b -> b.remove("event", 3)));
    kinds.put(
        "an event changed", new Tampering("log", b -> b.all("event").get(2).put("actor", "eve")));
    kinds.put(
        "another use",
        new Tampering(
            "executed", b -> b.used(0).put("payload", b.used(1).get("payload").textValue())));
    kinds.put(
        "another action executed, and the log signed again",
        Tampering.signed(
            "executed",
            b -> {
              String payload = b.used(0).get("payload").textValue();
              Bundle.commit(
                  b.used(0), payload.replaceFirst("sha256:[0-9a-f]{8}", "sha256:00000000"));
              b.digestLog();
            }));
    kinds.put(
        "an approval used twice, and the log signed again",
        Tampering.signed(
            "executed",
            b -> {
              ObjectNode more = b.used(0).deepCopy();
              b.add("event", more.put("sequence", b.all("event").size()));
              b.digestLog();
            }));
    kinds.put(
        "what was denied executed, and the log signed again",
        Tampering.signed(
            "executed",
            b -> {
              String id = b.approval(2).get("approval_id").textValue();
              ObjectNode more = b.used(0).deepCopy();
              b.add("event", more.put("sequence", b.all("event").size()));
              Bundle.commit(more, "{\"permission_request_id\":\"" + id + "\"}");
              b.digestLog();
            }));
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

    Map<String, List<List<String>>> said = verifiers().verify(List.of(ended(lease)), published());

    said.forEach(
        (verifier, results) ->
            assertThat(results.get(0))
                .as(verifier)
                .containsExactly(
                    "valid",
                    "approved; only the server says that it was answered by ben; not checked:"
                        + " evidence",
                    "approved; signed by ada; only the server says that it was answered by ben;"
                        + " executed as signed"));
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
    verifiers()
        .verify(List.of(after), published())
        .forEach(
            (verifier, results) ->
                assertThat(results.get(0))
                    .as(verifier)
                    .containsExactly(
                        "valid", "approved; signed by ada; not checked: artifact, executed"));
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
    verifiers()
        .verify(List.of(bundle), published())
        .forEach(
            (verifier, results) ->
                assertThat(results.get(0))
                    .as(verifier)
                    .containsExactly("valid", "approved; signed by ada; executed as signed"));
  }

  @Test
  void whoMayNotReadPermissionsOrEventsGetsTheSignaturesAlone() {
    Phone ada = Phone.of(core, "ada", "ada-1");
    TaskLease lease = approved(begin(), "1", "make deploy", ada);
    var unused = ended(lease);

    Bundle bundle =
        exported(lease.getTask().getId(), core.as("auditor", List.of("receipts:read"), List.of()));

    assertThat(bundle.header().get("left_out").toString()).isEqualTo("[\"artifact\",\"event\"]");
    assertThat(bundle.text()).doesNotContain("make deploy");
    assertThat(bundle.all("evidence")).hasSize(1);
    verifiers()
        .verify(List.of(bundle), published())
        .forEach(
            (verifier, results) ->
                assertThat(results.get(0))
                    .as(verifier)
                    .containsExactly(
                        "valid", "approved; signed by ada; not checked: artifact, executed"));
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

  private KeySet published() {
    return KeySet.parse(
        ReceiptServiceGrpc.newBlockingStub(core.owner())
            .getReceiptKeys(GetReceiptKeysRequest.getDefaultInstance())
            .getDocument()
            .toByteArray());
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
