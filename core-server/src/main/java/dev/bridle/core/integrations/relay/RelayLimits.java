package dev.bridle.core.integrations.relay;

import java.time.Duration;

/**
 * Limits of the relay.
 *
 * @param pendingPerEnforcer how many requests of an enforcer may wait for a decision
 * @param pendingPerApprover how many requests may wait in an approver's inbox
 * @param approvers how many approvers a tenant may have
 * @param waits how many calls of a process may wait for decisions
 * @param channels how many channels a process may have open
 * @param channelsPerParty how many of them one party may have
 * @param skew by how much clocks of senders may be ahead of, or behind, the relay's
 * @param retention how long an exchange is kept after its end
 */
record RelayLimits(
    int pendingPerEnforcer,
    int pendingPerApprover,
    int approvers,
    int waits,
    int channels,
    int channelsPerParty,
    Duration skew,
    Duration retention) {
  static final RelayLimits DEFAULT =
      new RelayLimits(1000, 200, 100, 2000, 10_000, 16, Duration.ofSeconds(60), Duration.ofDays(7));

  /** The most bytes of an artifact's envelope. */
  static final int MAX_ARTIFACT_BYTES = 2 << 20;

  /** The most bytes of any other envelope. */
  static final int MAX_ENVELOPE_BYTES = 64 << 10;

  /** The most enforcers of a tenant that are not revoked. */
  static final int MAX_ENFORCERS = 1000;

  /** The most characters of the id of a party. */
  static final int MAX_PARTY_ID = 128;

  /** The most characters of the id of a request. */
  static final int MAX_REQUEST_ID = 256;
}
