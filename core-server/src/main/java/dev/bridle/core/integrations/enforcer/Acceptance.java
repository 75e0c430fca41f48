package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
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
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.DecisionEvidence;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.record.v1.HarpRequestRecord;
import dev.bridle.record.v1.HarpRequestState;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.TaskRecord;
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

  /** A longer reason, which can't be signed, stands only in what was delivered. */
  private static final int MAX_REASON = GivenReason.MAX_CHARS;

  private final Commands commands;
  private final DecisionChecks checks;
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
    this.checks = new DecisionChecks(context.configurations(), store);
    this.store = store;
    this.requests = requests;
    this.stores = stores;
    this.permissions = new PermissionStore(context.layout());
    this.answers = answers;
  }

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
    Optional<Waiting> waiting = waiting(write, record);
    if (waiting.isEmpty()) {
      requests.end(write, record, "Nobody waits for it any more.");
      return;
    }
    PermissionRecord permission = waiting.get().permission();
    TaskChange change = stores.change(write, waiting.get().task());
    try {
      VerifiedDecision verified =
          checks.verify(
              write,
              record,
              permission.getRequest(),
              PresentedDecision.delivered(record.getRequestId(), delivered));
      HarpRequestRecord after = accepted(write, record, verified);
      try {
        answer(change, record, permission, verified);
      } catch (ProtocolException e) {
        // Valid, and too late or not theirs to give: the approver has answered by another way.
        requests.end(write, after, e.getMessage());
        emitRefused(change, record, HarpErrorCode.POLICY_DENY.spelled(), e.getMessage());
      }
    } catch (HarpException e) {
      refuse(change, record, permission, e);
    }
    change.save();
  }

  /**
   * Accepts a decision that has come without a relay, or has no effect. The relay is told to take
   * the request back.
   *
   * @throws HarpException with the first check that does not hold
   * @throws ProtocolException if it is not theirs to give
   */
  void acceptDirect(Write write, HarpRequestRecord record, PresentedDecision presented)
      throws HarpException {
    Waiting waiting =
        waiting(write, record)
            .orElseThrow(
                () ->
                    new HarpException(
                        HarpErrorCode.EXPIRED, "closed", "Nobody waits for it any more."));
    TaskChange change = stores.change(write, waiting.task());
    VerifiedDecision verified =
        checks.verify(write, record, waiting.permission().getRequest(), presented);
    requests.owe(write, accepted(write, record, verified), "It was decided without a relay.");
    answer(change, record, waiting.permission(), verified);
    change.save();
  }

  /** Who waits for a decision. */
  private record Waiting(PermissionRecord permission, TaskRecord task) {}

  private Optional<Waiting> waiting(Write write, HarpRequestRecord record) {
    Optional<TaskRecord> task = stores.tasks().find(write.tr(), write.tenant(), record.getTaskId());
    return permissions
        .find(write.tr(), write.tenant(), record.getPermissionRequestId())
        .filter(
            found -> found.getRequest().getStatus() == PermissionStatus.PERMISSION_STATUS_PENDING)
        .flatMap(permission -> task.map(found -> new Waiting(permission, found)));
  }

  /** Remembers the decision of a request, against replay. */
  private HarpRequestRecord accepted(
      Write write, HarpRequestRecord before, VerifiedDecision verified) throws HarpException {
    Decision decision = verified.decision();
    HarpRequestRecord after =
        HarpRequests.ended(
                before,
                decision.answer() == Answer.ALLOW
                    ? HarpRequestState.HARP_REQUEST_STATE_APPROVED
                    : HarpRequestState.HARP_REQUEST_STATE_DENIED,
                write.nowMillis())
            .setNonce(decision.nonce())
            .setSignerKeyId(decision.signerKeyId())
            .setDecisionHash(decision.hash())
            .build();
    store.update(write, before, after);
    store.useNonce(write, after);
    return after;
  }

  private void answer(
      TaskChange change,
      HarpRequestRecord record,
      PermissionRecord permission,
      VerifiedDecision verified)
      throws HarpException {
    PresentedDecision presented = verified.presented();
    DecisionEvidence.Builder evidence =
        DecisionEvidence.newBuilder()
            .setApprovalDeviceId(verified.device().getId())
            .setRequestId(record.getRequestId())
            .setArtifactHash("sha256:" + record.getArtifactHash())
            .setDecision(ByteString.copyFrom(HarpJson.canonical(verified.decision().json())))
            .setDelivered(Base64Url.encode(presented.bytes().toByteArray()))
            .setEra(record.getEra())
            .setSalt(Base64Url.encode(record.getSalt().toByteArray()))
            .setCreatedAt(Timestamps.fromMillis(record.getCreatedAt()))
            .setExpiresAt(Timestamps.fromMillis(record.getExpiresAt()))
            .setShowsGrants(record.getShowsGrants())
            .setRequestsActions(record.getRequestsActions())
            .setShowsSaid(record.getShowsSaid())
            .setTakesReason(record.getTakesReason())
            .setEnrolment(ApprovalDevices.enrolment(change.write().tenant(), verified.device()));
    if (!record.getIssuer().isEmpty()) {
      evidence.setIssuer(record.getIssuer());
    }
    presented
        .reason()
        .flatMap(GivenReason::salt)
        .ifPresent(salt -> evidence.setReasonSalt(salt.encoded()));
    var unused =
        answers.apply(
            change,
            permission,
            new SignedAnswers.SignedAnswer(
                verified.device().getPrincipal(),
                verified.decision().answer() == Answer.ALLOW,
                presented
                    .reason()
                    .map(GivenReason::text)
                    .filter(text -> text.length() <= MAX_REASON),
                verified.option(),
                verified.grant(),
                evidence.build()));
  }

  /**
   * Ends a request whose one decision is spoiled, and asks the device by another one; if it was
   * revoked, asks those that were enrolled since.
   */
  private void refuse(
      TaskChange change,
      HarpRequestRecord record,
      PermissionRecord permission,
      HarpException refusal) {
    emitRefused(change, record, refusal.code().spelled(), refusal.getMessage());
    requests.end(change.write(), record, refusal.getMessage());
    Optional<ApprovalDevice> device =
        checks.device(change.write(), record).filter(known -> !known.hasRevokedAt());
    if (device.isEmpty()) {
      requests.changed(change, permission.getRequest());
    } else if (record.getReissued() < MAX_REISSUED) {
      requests.ask(change, permission.getRequest(), device.get(), record.getReissued() + 1);
    }
  }

  /**
   * Takes a request back, if it is open, since its device was revoked or nobody waits for it any
   * more. Where somebody does, devices that may answer and were enrolled since are asked: the one
   * that replaces a revoked one is enrolled before the revocation.
   */
  void endUnwanted(Write write, HarpRequestRecord record) {
    if (!HarpRequests.isOpen(record)) {
      return;
    }
    requests.end(write, record, "The device was revoked, or nobody waits for it any more.");
    waiting(write, record)
        .ifPresent(
            waiting -> {
              TaskChange change = stores.change(write, waiting.task());
              requests.changed(change, waiting.permission().getRequest());
              change.save();
            });
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
