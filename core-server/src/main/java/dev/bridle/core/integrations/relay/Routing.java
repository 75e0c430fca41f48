package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Mailbox;
import java.util.List;
import java.util.Optional;

/**
 * Chooses who receives an artifact: the approver that it names, else all of the tenant whose inbox
 * has room. A routing token names one alone, so an unknown one reaches nobody.
 */
final class Routing {
  /** How far below a limit counts are read with a conflict, so that concurrent calls keep it. */
  private static final int MARGIN = 16;

  private final Parties parties;
  private final PairingStore pairings;
  private final Mailbox mailbox;
  private final RelayLimits limits;

  Routing(Parties parties, PairingStore pairings, Mailbox mailbox, RelayLimits limits) {
    this.parties = parties;
    this.pairings = pairings;
    this.mailbox = mailbox;
    this.limits = limits;
  }

  /** Returns the recipients of an artifact, at least one. */
  List<PartyId> recipients(Write write, SubmittedArtifact artifact) throws HarpException {
    if (isBounded(artifact.enforcer())
        && isFull(write, artifact.enforcer(), Folder.PENDING, limits.pendingPerEnforcer())) {
      throw RelayErrors.tooManyPending(
          artifact.requestId(), "max_pending_per_enforcer", limits.pendingPerEnforcer());
    }
    List<PartyId> asked = asked(write, artifact);
    List<PartyId> open =
        asked.stream()
            .filter(approver -> !isFull(write, approver, Folder.INBOX, limits.pendingPerApprover()))
            .toList();
    if (open.isEmpty()) {
      throw RelayErrors.tooManyPending(
          artifact.requestId(), "max_pending_per_approver", limits.pendingPerApprover());
    }
    return open;
  }

  /**
   * What the server asks by itself is bounded by its permission requests, and for each approver.
   */
  private static boolean isBounded(PartyId enforcer) {
    return !enforcer.equals(PartyId.enforcer(LocalRelay.ENFORCER));
  }

  private List<PartyId> asked(Write write, SubmittedArtifact artifact) throws HarpException {
    Optional<PartyId> routed =
        artifact
            .body()
            .routingToken()
            .flatMap(
                token -> pairings.route(write.tr(), write.tenant(), artifact.enforcer(), token));
    if (artifact.body().routingToken().isPresent() && routed.isEmpty()) {
      throw nobody("unknown_routing_token", "The routing token is unknown.");
    }
    List<PartyId> asked =
        routed
            .or(artifact::approver)
            .map(
                approver ->
                    parties.isGood(write.tr(), write.tenant(), approver)
                        ? List.of(approver)
                        : List.<PartyId>of())
            .orElseGet(() -> parties.approvers(write.tr(), write.tenant()));
    if (asked.isEmpty()) {
      throw nobody("no_approver", "There is no approver who could decide.");
    }
    return asked;
  }

  private static HarpException nobody(String reason, String message) {
    return new HarpException(HarpErrorCode.POLICY_DENY, reason, message);
  }

  private boolean isFull(Write write, PartyId party, Folder folder, int most) {
    int seen = count(write, write.tr().snapshot(), party, folder, most);
    return seen >= most - MARGIN && count(write, write.tr(), party, folder, most) >= most;
  }

  private int count(Write write, ReadTransaction tr, PartyId party, Folder folder, int most) {
    return mailbox.count(tr, write.tenant(), party.key(), folder.number(), most);
  }
}
