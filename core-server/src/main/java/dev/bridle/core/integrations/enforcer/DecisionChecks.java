package dev.bridle.core.integrations.enforcer;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.rule.DecisionRule;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.record.v1.HarpRequestRecord;
import java.time.Instant;
import java.util.Optional;

/** Makes all checks of a decision about a request of this server (HARP-CORE, "Verification"). */
final class DecisionChecks {
  private final Configurations configurations;
  private final HarpRequestStore store;

  DecisionChecks(Configurations configurations, HarpRequestStore store) {
    this.configurations = configurations;
    this.store = store;
  }

  /** Returns the device that a request was made for, whether or not it is revoked. */
  Optional<ApprovalDevice> device(Write write, HarpRequestRecord record) {
    return ApprovalDevices.find(
        configurations.of(write.tr(), write.tenant()), record.getApprovalDeviceId());
  }

  /**
   * Checks a decision about an open request.
   *
   * @param asked the permission request, which is pending
   * @throws HarpException with the first check that does not hold
   */
  VerifiedDecision verify(
      Write write, HarpRequestRecord record, PermissionRequest asked, PresentedDecision presented)
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
    if (!presented.signerKeyId().equals(device.getSignerKeyId())) {
      throw new HarpException(
          HarpErrorCode.SIGNATURE_INVALID, "unknown_key", "The device has no key of that id.");
    }
    Artifact artifact = PermissionArtifact.of(record, asked);
    if (!artifact.hash().equals(record.getArtifactHash())) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH, "changed", "What was asked has changed since.");
    }
    VerificationKey key = ApprovalDevices.signingKey(device);
    Decision decision = presented.signed().by(key, artifact);
    Instant now = Instant.ofEpochMilli(write.nowMillis());
    boolean isNew =
        new DecisionRule(
                id -> id.equals(device.getSignerKeyId()) ? Optional.of(key) : Optional.empty(),
                DecisionRule.SKEW)
            .accept(
                decision,
                new DecisionRule.Asked(
                    Decision.Subject.of(artifact),
                    artifact.expiresAt(),
                    Optional.of(asked.getSessionId())),
                store.accepted(write.tr(), write.tenant()),
                now);
    if (!isNew) {
      throw new IllegalStateException("an open request has an accepted decision");
    }
    if (decision.hasOtherHints()) {
      throw new HarpException(
          HarpErrorCode.SCOPE, "hints", "The decision has policyHints that mean nothing here.");
    }
    GivenReason.check(decision, presented.reason());
    return new VerifiedDecision(
        device,
        decision,
        presented,
        DecidedOption.of(record, asked, presented, decision),
        DecisionScope.grant(decision, shown(record, asked), now));
  }

  /** Returns the question as the artifact has shown it. */
  private static PermissionQuestion shown(HarpRequestRecord record, PermissionRequest asked) {
    return record.getShowsGrants()
        ? asked.getRequest()
        : asked.getRequest().toBuilder().clearOfferedGrants().build();
  }
}
