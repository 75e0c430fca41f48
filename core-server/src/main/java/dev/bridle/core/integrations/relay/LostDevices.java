package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.core.work.policy.DeviceRevocations;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.RemainingAccess;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.PartyRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ends what pairings have given to a device that is revoked: its ids at the relay, and its key. An
 * approver that an administrator has created is a person's, who may have other devices.
 */
public final class LostDevices implements DeviceRevocations {
  private final CoreContext context;
  private final Parties parties;
  private final CredentialStore<ApiKeyRecord> keys;

  public LostDevices(CoreContext context) {
    this.context = context;
    this.parties =
        new Parties(context.layout(), new RelayAudit(context.layout()), RelayLimits.DEFAULT);
    this.keys =
        new CredentialStore<>(
            ApiKeys.KIND,
            context.layout(),
            context.installation(),
            context.mint(),
            context.clock());
  }

  @Override
  public RemainingAccess revoked(Write write, ApprovalDevice device) {
    PartyId approver = PartyId.approver(device.getApproverId());
    Optional<PartyRecord> good =
        parties
            .find(write.tr(), write.tenant(), approver)
            .filter(party -> party.getRevokedAt() == 0);
    if (good.isEmpty()) {
      return RemainingAccess.REMAINING_ACCESS_UNSPECIFIED;
    }
    PartyRecord party = good.get();
    if (party.getKeyId().isEmpty()) {
      return RemainingAccess.REMAINING_ACCESS_CREDENTIALS_OF_ACTOR;
    }
    List<PartyId> ids = parties.approversOf(write.tr(), write.tenant(), party.getActor());
    if (ids.stream().anyMatch(id -> !id.equals(approver) && isEnrolled(write, id, device))) {
      var unused = parties.revoke(write, approver); // The phone is still one of a person's.
      return RemainingAccess.REMAINING_ACCESS_SHARED_CREDENTIAL;
    }
    ids.forEach(id -> parties.revoke(write, id));
    var unused = keys.revoke(write.tr(), write.tenant(), party.getKeyId());
    return RemainingAccess.REMAINING_ACCESS_UNSPECIFIED;
  }

  private boolean isEnrolled(Write write, PartyId approver, ApprovalDevice revoked) {
    Set<String> enrolled =
        ApprovalDevices.good(
                Configurations.unremembered(context.layout(), write.tr(), write.tenant()))
            .stream()
            .filter(other -> !other.hasRelay() && !other.getId().equals(revoked.getId()))
            .map(ApprovalDevice::getApproverId)
            .collect(Collectors.toSet());
    return enrolled.contains(approver.id());
  }
}
