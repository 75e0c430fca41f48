package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.LocalRelay;
import dev.bridle.core.integrations.relay.RelayErrors;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.record.v1.HarpRequestRecord;
import dev.bridle.record.v1.HarpRequestState;
import java.util.Optional;

/**
 * Takes whole decisions without a relay. One that does not hold changes nothing, so that nobody can
 * spoil a request by it.
 */
final class CoreDecisions {
  private final CoreContext context;
  private final HarpRequestStore store;
  private final PermissionStore permissions;
  private final Acceptance acceptance;
  private final LocalRelay relay;

  CoreDecisions(
      CoreContext context, HarpRequestStore store, Acceptance acceptance, LocalRelay relay) {
    this.context = context;
    this.store = store;
    this.permissions = new PermissionStore(context.layout());
    this.acceptance = acceptance;
    this.relay = relay;
  }

  /**
   * Takes a decision.
   *
   * @return the {@code decision.accepted} envelope
   */
  ByteString submit(Caller caller, ByteString bytes) throws HarpException {
    CoreDocument document = CoreDocument.parse(bytes, "decision.submit");
    Decision decision = Decision.of(document.object());
    Optional<GivenReason> reason = DecisionSubmit.reasonBeside(document.trace());
    Optional<ApprovalDevice> decided =
        context
            .commands()
            .fenced(
                FencedWrite.ACCEPT_DECISION,
                caller.tenant(),
                caller.actor(),
                write ->
                    own(write, caller, PresentedDecision.whole(decision, reason, bytes), decision));
    if (decided.isPresent()) {
      return relay.decisionAccepted(decision, decided.get().getApproverId());
    }
    checkKnownKey(caller, decision);
    return relay.decideFor(caller, decision, reason);
  }

  /**
   * Decides a request of this server; empty if it is none, {@code resource_not_found} if it is not
   * the caller's to decide.
   */
  private Optional<ApprovalDevice> own(
      Write write, Caller caller, PresentedDecision presented, Decision decision) {
    String requestId = decision.subject().requestId();
    Optional<HarpRequestRecord> found = store.find(write.tr(), write.tenant(), requestId);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Optional<ApprovalDevice> device =
        ApprovalDevices.find(
                context.configurations().of(write.tr(), write.tenant()),
                found.get().getApprovalDeviceId())
            .filter(known -> mayDecide(write, caller, found.get(), known));
    if (device.isEmpty()) {
      throw RelayErrors.noExchange(requestId);
    }
    try {
      if (!isDecidedBy(found.get(), decision)) {
        relay.countDecision(write, device.get().getApproverId(), requestId);
        acceptance.acceptDirect(write, found.get(), presented);
      }
      return device;
    } catch (HarpException e) {
      throw RelayErrors.of(e, requestId);
    }
  }

  private boolean mayDecide(
      Write write, Caller caller, HarpRequestRecord record, ApprovalDevice device) {
    boolean isTheirs =
        caller.actor().equals(device.getPrincipal())
            || (!device.hasRelay() && relay.actsAs(write.tr(), caller, device.getApproverId()));
    return isTheirs
        && permissions
            .find(write.tr(), write.tenant(), record.getPermissionRequestId())
            .filter(permission -> caller.reaches(permission.getWorkspaceId()))
            .isPresent();
  }

  /**
   * Returns whether exactly this decision has ended a request.
   *
   * @throws HarpException {@code EXPIRED} if its time is over
   */
  private static boolean isDecidedBy(HarpRequestRecord record, Decision decision)
      throws HarpException {
    if (HarpRequests.isOpen(record)) {
      return false;
    }
    String requestId = record.getRequestId();
    boolean isDecided =
        record.getState() == HarpRequestState.HARP_REQUEST_STATE_APPROVED
            || record.getState() == HarpRequestState.HARP_REQUEST_STATE_DENIED;
    if (isDecided) {
      if (record.getDecisionHash().equals(decision.hash())) {
        return true;
      }
      throw RelayErrors.alreadyDecided(requestId);
    }
    if (record.getState() == HarpRequestState.HARP_REQUEST_STATE_EXPIRED) {
      throw new HarpException(
          HarpErrorCode.EXPIRED, "expired", "The time to decide the request is over.");
    }
    throw RelayErrors.closed(requestId, "withdrawn");
  }

  /** The key of an enrolled device is known here, so that a forgery of it need not be relayed. */
  private void checkKnownKey(Caller caller, Decision decision) throws HarpException {
    Optional<ApprovalDevice> device =
        context
            .store()
            .read(tr -> ApprovalDevices.good(context.configurations().of(tr, caller.tenant())))
            .stream()
            .filter(known -> known.getSignerKeyId().equals(decision.signerKeyId()))
            .findFirst();
    if (device.isPresent()) {
      decision.verifySignature(ApprovalDevices.signingKey(device.get()));
    }
  }
}
