package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.record.v1.RelayChannelRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Derives from their channels which approvers are there, and when they last were. */
public final class ApproverPresence {
  private final Parties parties;
  private final ChannelStore channels;

  /** Creates the reader. */
  public ApproverPresence(CoreContext context) {
    this.parties =
        new Parties(context.layout(), new RelayAudit(context.layout()), RelayLimits.DEFAULT);
    this.channels = new ChannelStore(context.layout(), context.due());
  }

  /**
   * Whether an approver is there.
   *
   * @param isConnected whether it has a channel open
   * @param lastSeenAt when it last had one, in Unix milliseconds; empty if that is not known
   */
  public record Presence(boolean isConnected, Optional<Long> lastSeenAt) {}

  /** Returns whether there is an approver of an id that is not revoked. */
  public boolean isGood(ReadTransaction tr, String tenant, String approverId) {
    return parties.isGood(tr, tenant, PartyId.approver(approverId));
  }

  /** Returns whether an approver is there. */
  public Presence of(ReadTransaction tr, String tenant, String approverId, long now) {
    List<RelayChannelRecord> found = channels.of(tr, tenant, PartyId.approver(approverId));
    return new Presence(
        found.stream().anyMatch(channel -> ChannelStore.isOpen(channel, now)),
        found.stream()
            .map(channel -> Math.max(channel.getSeenAt(), channel.getClosedAt()))
            .max(Comparator.naturalOrder()));
  }
}
