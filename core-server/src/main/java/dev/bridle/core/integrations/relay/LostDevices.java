package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.policy.DeviceRevocations;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.PartyRecord;
import java.util.Optional;

/**
 * Ends what a pairing has given to a device that is revoked: its id at the relay, and its key. An
 * approver that an administrator has created is a person's, who may have other devices.
 */
public final class LostDevices implements DeviceRevocations {
  private final Parties parties;
  private final CredentialStore<ApiKeyRecord> keys;

  public LostDevices(CoreContext context) {
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
  public void revoked(Write write, ApprovalDevice device) {
    PartyId approver = PartyId.approver(device.getApproverId());
    Optional<PartyRecord> paired =
        parties
            .find(write.tr(), write.tenant(), approver)
            .filter(party -> party.getRevokedAt() == 0 && !party.getKeyId().isEmpty());
    if (paired.isPresent()) {
      var unused = parties.revoke(write, approver);
      var unusedKey = keys.revoke(write.tr(), write.tenant(), paired.get().getKeyId());
    }
  }
}
