package dev.bridle.core.integrations.enforcer;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.integrations.relay.RelayRecords;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.redaction.RedactedTask;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RevokeApprovalDeviceRequest;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.TaskLease;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Devices of approvers answer permission requests by signed decisions, and nothing else does. */
final class SignedDecisionTest extends AskedDevices {
  private static final PermissionVerdict ALLOWED = PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
  private static final PermissionVerdict WAITING = PermissionVerdict.PERMISSION_VERDICT_WAITING;
  private static final PermissionVerdict DENIED = PermissionVerdict.PERMISSION_VERDICT_DENIED;

  @Test
  void aSignedYesAllowsTheActionOnceAndIsKept() throws HarpException {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make deploy").getRequestId();

    Artifact shown = awaitAsked(phone);
    assertThat(shown.type()).isEqualTo("command.review");
    assertThat(shown.payload().get("content").textValue())
        .isEqualTo("{\"command\":\"make deploy\"}");
    assertThat(shown.payload().get("contentHash").textValue())
        .isEqualTo(read(request).getRequest().getContentHash());
    phone.decide(shown, Answer.ALLOW);

    PermissionRequest approved = awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED);
    PermissionAnswer answer = approved.getResponse().getAnswers(0);
    assertThat(answer.getActor()).isEqualTo("ada");
    assertThat(answer.getChannel()).isEqualTo(ApprovalChannel.APPROVAL_CHANNEL_HARP);
    assertThat(answer.getReason()).isEqualTo("Seen on the phone.");
    assertThat(answer.getEvidence().getArtifactHash()).isEqualTo("sha256:" + shown.hash());
    assertThat(answer.getEvidence().getApprovalDeviceId()).isEqualTo(phone.device().getId());
    assertThat(PermissionArtifact.shown(answer.getEvidence(), approved)).contains(shown.json());
    await()
        .untilAsserted(
            () -> assertThat(phone.relay().state(shown.requestId())).isEqualTo("delivered"));
    TaskLease again = next(lease.getTask().getId());
    assertThat(ask(again, "1", "make deploy").getVerdict()).isEqualTo(ALLOWED);
    assertThat(ask(again, "2", "make deploy").getVerdict()).isEqualTo(WAITING);
  }

  @Test
  void redactionErasesWhatTheApproverSaidAndKeepsWhatTheySigned() throws HarpException {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make deploy").getRequestId();
    phone.decide(awaitAsked(phone), Answer.ALLOW);
    var unusedBefore = awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED);
    var unusedEnd =
        core.workers().completeTask(WorkerRequests.complete(next(lease.getTask().getId())).build());

    var unused =
        RedactedTask.redact(
            core.owner(), RedactedObject.REDACTED_OBJECT_TASK, lease.getTask().getId());

    await().until(() -> !read(request).getResponse().getAnswers(0).hasReason());
    PermissionAnswer answer = read(request).getResponse().getAnswers(0);
    assertThat(answer.getEvidence().getDelivered()).isEmpty();
    assertThat(answer.getEvidence().getSalt()).isEmpty();
    assertThat(Decision.parse(answer.getEvidence().getDecision().toByteArray()).answer())
        .isEqualTo(Answer.ALLOW);
    await()
        .untilAsserted(
            () ->
                assertThat(core.eventsOf(lease.getTask().getId()))
                    .noneMatch(
                        event -> event.getPayload().toStringUtf8().contains("Seen on the phone.")));
  }

  @Test
  void aRequesterThatTakesSignedDecisionsAloneGetsNoOtherAnswer() {
    TaskLease lease = begin();
    assertThat(ask(wanted(lease, "1", "make deploy").setSignedOnly(true)).getVerdict())
        .as("without a device")
        .isEqualTo(DENIED);
    Phone phone = Phone.of(core, "ada", "ada-1");
    String granted = ask(lease, "2", "make deploy").getRequestId();
    var unusedGrant = respond("ada", said(granted).setApproved(true).setGrant("this_session"));
    TaskLease second = next(lease.getTask().getId());
    assertThat(ask(second, "3", "make test").getVerdict()).as("a grant").isEqualTo(ALLOWED);

    String request = ask(wanted(second, "4", "make clean").setSignedOnly(true)).getRequestId();
    assertRefused(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> approve("ada", request));
    phone.decide(awaitAsked(phone), Answer.ALLOW);

    TaskLease third = next(lease.getTask().getId());
    assertThat(ask(wanted(third, "4", "make clean").setSignedOnly(true)).getVerdict())
        .isEqualTo(ALLOWED);
    assertThat(read(request).getRequest().getPolicy().getChannelsList())
        .containsExactly(ApprovalChannel.APPROVAL_CHANNEL_HARP);
  }

  @Test
  void aSignedNoDeniesIt() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make deploy").getRequestId();

    phone.decide(awaitAsked(phone), Answer.DENY);

    var unused = awaitStatus(request, PermissionStatus.PERMISSION_STATUS_DENIED);
    assertThat(ask(next(lease.getTask().getId()), "1", "make deploy").getVerdict())
        .isEqualTo(DENIED);
  }

  @Test
  void whoAnswersFirstCountsAndTheOthersAreTakenBack() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    Phone tablet = Phone.of(core, "ada", "ada-2");
    String request = ask(begin(), "1", "make deploy").getRequestId();
    Artifact onPhone = awaitAsked(phone);
    Artifact onTablet = awaitAsked(tablet);
    assertThat(onPhone.requestId()).isNotEqualTo(onTablet.requestId());

    var unused = approve("ben", request);

    await().until(() -> phone.asked().isEmpty() && tablet.asked().isEmpty());
    assertThat(phone.relay().state(onPhone.requestId())).isEqualTo("withdrawn");
    assertThat(tablet.relay().state(onTablet.requestId())).isEqualTo("withdrawn");
    for (String taken : List.of(onPhone.requestId(), onTablet.requestId())) {
      assertThat(exchange(taken).getEndReason()).isEqualTo("It was answered by ben.");
    }
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> phone.decide(onPhone, Answer.DENY));
    assertThat(read(request).getResponse().getAnswersList()).hasSize(1);
  }

  /** Returns what the relay has stored of a request. */
  private ExchangeRecord exchange(String request) {
    return core.store()
        .read(
            tr ->
                RelayRecords.EXCHANGE
                    .store(KeyLayout.root())
                    .get(tr, Tenants.DEFAULT, request)
                    .orElseThrow());
  }

  @Test
  void twoDevicesOfOnePersonCountOnce() {
    rule("two", rule -> rule.setApprovers(2));
    Phone phone = Phone.of(core, "ada", "ada-1");
    Phone tablet = Phone.of(core, "ada", "ada-2");
    Phone bens = Phone.of(core, "ben", "ben-1");
    String request = ask(begin(), "1", "make deploy").getRequestId();
    Artifact onPhone = awaitAsked(phone);
    Artifact onTablet = awaitAsked(tablet);

    phone.decide(onPhone, Answer.ALLOW);

    await().until(() -> tablet.asked().isEmpty());
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> tablet.decide(onTablet, Answer.ALLOW));
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    bens.decide(awaitAsked(bens), Answer.ALLOW);
    assertThat(
            awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED)
                .getResponse()
                .getAnswersList())
        .extracting(PermissionAnswer::getActor)
        .containsExactly("ada", "ben");
  }

  @Test
  void aDecisionThatDoesNotHoldIsRefusedByNameAndAskedForAgain() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    Phone thief = Phone.of(core, "eve", "eve-1");
    TaskLease lease = begin();
    String request = ask(wanted(lease, "1", "make deploy").addApprovers("ada")).getRequestId();

    Artifact first = awaitAsked(phone);
    ObjectNode forged = thief.signed(first, Answer.ALLOW);
    ((ObjectNode) forged.get("body")).put("signerKeyId", phone.device().getSignerKeyId());
    phone.send(first.requestId(), forged);
    Artifact second = awaitAnother(phone, first);
    phone.send(second.requestId(), thief.signed(second, Answer.ALLOW));
    Artifact third = awaitAnother(phone, second);
    ObjectNode turned = phone.signed(third, Answer.DENY);
    ((ObjectNode) turned.get("body")).put("decision", "approve").remove("decisionHash");
    phone.send(third.requestId(), turned);

    Artifact last = awaitAnother(phone, third);
    assertThat(last.payload().get("content")).isEqualTo(first.payload().get("content"));
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
    phone.decide(last, Answer.ALLOW);
    var unused = awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(refusals(lease))
        .hasSize(3)
        .allMatch(payload -> payload.contains("HARP_ERR_SIGNATURE_INVALID"));
  }

  @Test
  void aDeviceIsNotAskedForEverWhereItsDecisionsDoNotHold() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    Phone thief = Phone.of(core, "eve", "eve-1");
    TaskLease lease = begin();
    String request = ask(wanted(lease, "1", "make deploy").addApprovers("ada")).getRequestId();

    Artifact shown = awaitAsked(phone);
    for (int times = 0; times < Acceptance.MAX_REISSUED; times++) {
      phone.send(shown.requestId(), thief.signed(shown, Answer.ALLOW));
      shown = awaitAnother(phone, shown);
    }
    phone.send(shown.requestId(), thief.signed(shown, Answer.ALLOW));

    await().untilAsserted(() -> assertThat(refusals(lease)).hasSize(4));
    assertThat(phone.asked()).isEmpty();
    assertThat(approve("ada", request).getStatus())
        .as("answered by another way")
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
  }

  @Test
  void aRevokedDeviceDecidesNothingAndWhatItHasApprovedIsNotUsed() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    Phone other = Phone.of(core, "ada", "ada-2");
    TaskLease lease = begin();
    String request = ask(lease, "1", "make deploy").getRequestId();
    phone.decide(awaitAsked(phone), Answer.ALLOW);
    var unused = awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED);
    await().until(() -> other.asked().isEmpty());

    revoke(phone);

    TaskLease again = next(lease.getTask().getId());
    String asked = ask(again, "1", "make deploy").getRequestId();
    assertThat(asked).as("asked again").isNotEmpty().isNotEqualTo(request);
    Artifact shown = awaitAsked(other);
    assertThat(phone.asked()).isEmpty();
    revoke(other);
    other.decide(shown, Answer.ALLOW);
    await()
        .untilAsserted(
            () ->
                assertThat(refusals(lease))
                    .singleElement()
                    .asString()
                    .contains("The device was revoked."));
    assertThat(read(asked).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
  }

  @Test
  void anApprovalThatRulesTakeByDevicesAloneIsNotGivenByACredential() {
    rule("signed", rule -> rule.addChannels(ApprovalChannel.APPROVAL_CHANNEL_HARP));
    TaskLease lease = begin();
    assertThat(ask(lease, "0", "make deploy").getVerdict())
        .as("while nobody has a device")
        .isEqualTo(DENIED);
    Phone phone = Phone.of(core, "ada", "ada-1");

    String request = ask(lease, "1", "make deploy").getRequestId();

    assertRefused(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> approve("ada", request));
    phone.decide(awaitAsked(phone), Answer.ALLOW);
    var unused = awaitStatus(request, PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(ask(next(lease.getTask().getId()), "1", "make deploy").getVerdict())
        .isEqualTo(ALLOWED);
  }

  @Test
  void aDecisionHasToBeOfTheRequestsOwnArtifact() {
    Phone phone = Phone.of(core, "ada", "ada-1");
    TaskLease one = begin();
    var unused = ask(one, "1", "ls").getRequestId();
    Artifact harmless = awaitAsked(phone);
    worker.want(1);
    core.submit(session);
    TaskLease two = worker.lease();
    String wanted = ask(two, "1", "rm -r /").getRequestId();
    Artifact harmful = awaitAnother(phone, harmless);

    ObjectNode swapped =
        phone.signed(
            Decision.Content.once(
                new Decision.Subject(harmless.requestId(), harmful.hash(), harmless.repoRef()),
                Answer.ALLOW,
                Instant.now().plusSeconds(60),
                UUID.randomUUID().toString()));
    phone.send(harmful.requestId(), swapped);

    await().untilAsserted(() -> assertThat(refusals(two)).hasSize(1));
    assertThat(read(wanted).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
  }

  @Test
  void keysThatAreOrWereADevicesAreNotEnrolledAgainNorKeysOfSmallOrder() {
    DeviceKeys keys = DeviceKeys.create(new SecureRandom());
    var enrolled = devices().createApprovalDevice(Phone.enrolment(keys, "ada", "a").build());
    var unused =
        devices()
            .revokeApprovalDevice(
                RevokeApprovalDeviceRequest.newBuilder()
                    .setApprovalDeviceId(enrolled.getId())
                    .setReason("lost")
                    .build());

    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "signer_key_id",
        () -> devices().createApprovalDevice(Phone.enrolment(keys, "ben", "b").build()));
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "signing_key",
        () ->
            devices()
                .createApprovalDevice(
                    Phone.enrolment(keys, "ben", "b").setSignerKeyId("other").build()));
    DeviceKeys others = DeviceKeys.create(new SecureRandom());
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "agreement_key",
        () ->
            devices()
                .createApprovalDevice(
                    Phone.enrolment(others, "ben", "b").setAgreementKey("A".repeat(43)).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "signing_key",
        () ->
            devices()
                .createApprovalDevice(
                    Phone.enrolment(others, "ben", "b").setSigningKey("short").build()));
  }
}
