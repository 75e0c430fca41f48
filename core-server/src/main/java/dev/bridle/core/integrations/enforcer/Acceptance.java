package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.permission.SignedAnswers;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.harp.rule.DecisionRule;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.DecisionEvidence;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.record.v1.HarpRequestRecord;
import dev.bridle.record.v1.HarpRequestState;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.TaskRecord;
import java.time.Instant;
import java.util.Optional;

/**
 * Accepts signed decisions, or refuses them (HARP-CORE, "Verification"): all checks, what is
 * remembered against replay, the answer and the task's resumption are one transaction. Nothing that
 * a relay says is believed.
 */
final class Acceptance {
  /** The actor of what the enforcer does by itself. */
  static final String ACTOR = "bridle";

  /** How often a device is asked anew, where a relay has taken an invalid decision for its own. */
  static final int MAX_REISSUED = 3;

  /** A longer reason, which is not signed, stands only in what was delivered. */
  private static final int MAX_REASON = 4096;

  private final Commands commands;
  private final Configurations configurations;
  private final HarpRequestStore store;
  private final HarpRequests requests;
  private final TaskStores stores;
  private final PermissionStore permissions;
  private final SignedAnswers answers;

  Acceptance(
      CoreContext context,
      HarpRequestStore store,
      HarpRequests requests,
      TaskStores stores,
      SignedAnswers answers) {
    this.commands = context.commands();
    this.configurations = context.configurations();
    this.store = store;
    this.requests = requests;
    this.stores = stores;
    this.permissions = new PermissionStore(context.layout());
    this.answers = answers;
  }

  /** A decision that holds. */
  private record Verified(ApprovalDevice device, Decision decision, DecisionSubmit submit) {}

  /**
   * Accepts what a relay has delivered for a request. A request that has ended is left as it is, so
   * that the same decision again, and any later one, changes nothing.
   *
   * @param delivered the {@code decision.deliver} envelope
   */
  void accept(String tenant, String requestId, ByteString delivered) {
    var unused =
        commands.fenced(
            FencedWrite.ACCEPT_DECISION,
            tenant,
            ACTOR,
            write -> {
              store
                  .find(write.tr(), tenant, requestId)
                  .filter(HarpRequests::isOpen)
                  .ifPresent(record -> accept(write, record, delivered));
              return true;
            });
  }

  private void accept(Write write, HarpRequestRecord record, ByteString delivered) {
    Optional<PermissionRecord> permission =
        permissions
            .find(write.tr(), write.tenant(), record.getPermissionRequestId())
            .filter(
                found ->
                    found.getRequest().getStatus() == PermissionStatus.PERMISSION_STATUS_PENDING);
    Optional<TaskRecord> task = stores.tasks().find(write.tr(), write.tenant(), record.getTaskId());
    if (permission.isEmpty() || task.isEmpty()) {
      requests.end(write, record, "Nobody waits for it any more.");
      return;
    }
    TaskChange change = stores.change(write, task.get());
    try {
      Verified verified = verify(write, record, permission.get(), delivered);
      apply(change, record, permission.get(), verified, delivered);
    } catch (HarpException e) {
      refuse(change, record, permission.get(), e);
    }
    change.save();
  }

  private Verified verify(
      Write write, HarpRequestRecord record, PermissionRecord permission, ByteString delivered)
      throws HarpException {
    if (record.getEra() != write.order().era()) {
      throw new HarpException(
          HarpErrorCode.POLICY_DENY, "restored", "It was asked before a backup was restored.");
    }
    ApprovalDevice device =
        device(write, record)
            .filter(known -> !known.hasRevokedAt())
            .orElseThrow(
                () ->
                    new HarpException(
                        HarpErrorCode.POLICY_DENY, "key_revoked", "The device was revoked."));
    GatewayEnvelope envelope = GatewayEnvelope.parse(delivered.toByteArray());
    if (!envelope.requestId().equals(record.getRequestId())) {
      throw new HarpException(
          HarpErrorCode.POLICY_DENY, "request", "The decision is about another request.");
    }
    DecisionSubmit submit = DecisionSubmit.of(envelope);
    Artifact artifact = PermissionArtifact.of(record, permission.getRequest());
    if (!artifact.hash().equals(record.getArtifactHash())) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH, "changed", "What was asked has changed since.");
    }
    VerificationKey key = ApprovalDevices.signingKey(device);
    if (!submit.signerKeyId().equals(device.getSignerKeyId())) {
      throw new HarpException(
          HarpErrorCode.SIGNATURE_INVALID, "unknown_key", "The device has no key of that id.");
    }
    Decision decision =
        submit.verified(artifact.repoRef(), artifact.json().get("expiresAt").textValue(), key);
    boolean isNew =
        new DecisionRule(
                id -> id.equals(device.getSignerKeyId()) ? Optional.of(key) : Optional.empty(),
                DecisionRule.SKEW)
            .accept(
                decision,
                new DecisionRule.Asked(
                    Decision.Subject.of(artifact), artifact.expiresAt(), artifact.sessionId()),
                store.accepted(write.tr(), write.tenant()),
                Instant.ofEpochMilli(write.nowMillis()));
    if (!isNew) {
      throw new IllegalStateException("an open request has an accepted decision");
    }
    return new Verified(device, decision, submit);
  }

  private Optional<ApprovalDevice> device(Write write, HarpRequestRecord record) {
    return ApprovalDevices.find(
        configurations.of(write.tr(), write.tenant()), record.getApprovalDeviceId());
  }

  private void apply(
      TaskChange change,
      HarpRequestRecord before,
      PermissionRecord permission,
      Verified verified,
      ByteString delivered)
      throws HarpException {
    Write write = change.write();
    Decision decision = verified.decision();
    boolean allowed = decision.answer() == Answer.ALLOW;
    HarpRequestRecord after =
        HarpRequests.ended(
                before,
                allowed
                    ? HarpRequestState.HARP_REQUEST_STATE_APPROVED
                    : HarpRequestState.HARP_REQUEST_STATE_DENIED,
                write.nowMillis())
            .setNonce(decision.nonce())
            .setSignerKeyId(decision.signerKeyId())
            .setDecisionHash(decision.hash())
            .build();
    store.update(write, before, after);
    store.useNonce(write, after);
    DecisionEvidence evidence =
        DecisionEvidence.newBuilder()
            .setApprovalDeviceId(verified.device().getId())
            .setRequestId(before.getRequestId())
            .setArtifactHash("sha256:" + before.getArtifactHash())
            .setDecision(ByteString.copyFrom(HarpJson.canonical(decision.json())))
            .setDelivered(Base64Url.encode(delivered.toByteArray()))
            .setEra(before.getEra())
            .setSalt(Base64Url.encode(before.getSalt().toByteArray()))
            .setCreatedAt(Timestamps.fromMillis(before.getCreatedAt()))
            .setExpiresAt(Timestamps.fromMillis(before.getExpiresAt()))
            .setEnrolment(ApprovalDevices.enrolment(write.tenant(), verified.device()))
            .build();
    try {
      var unused =
          answers.apply(
              change,
              permission,
              new SignedAnswers.SignedAnswer(
                  verified.device().getPrincipal(),
                  allowed,
                  verified.submit().reason().filter(text -> text.length() <= MAX_REASON),
                  evidence));
    } catch (ProtocolException e) {
      // Valid, and too late or not theirs to give: the approver has answered by another way.
      requests.end(write, after, e.getMessage());
      emitRefused(change, before, HarpErrorCode.POLICY_DENY.spelled(), e.getMessage());
    }
  }

  /** Ends a request whose one decision is spoiled, and asks the device by another one. */
  private void refuse(
      TaskChange change,
      HarpRequestRecord record,
      PermissionRecord permission,
      HarpException refusal) {
    emitRefused(change, record, refusal.code().spelled(), refusal.getMessage());
    requests.end(change.write(), record, refusal.getMessage());
    if (record.getReissued() < MAX_REISSUED) {
      device(change.write(), record)
          .filter(device -> !device.hasRevokedAt())
          .ifPresent(
              device ->
                  requests.ask(change, permission.getRequest(), device, record.getReissued() + 1));
    }
  }

  private static void emitRefused(
      TaskChange change, HarpRequestRecord record, String code, String reason) {
    change.emit(
        EventDraft.of(
            EventKinds.DECISION_REFUSED,
            Payload.of()
                .text("permission_request_id", record.getPermissionRequestId())
                .text("request_id", record.getRequestId())
                .text("approval_device_id", record.getApprovalDeviceId())
                .text("code", code)
                .text("reason", reason)));
  }
}
