package dev.bridle.core.integrations.relay;

import dev.bridle.harp.rule.ExchangeState;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.ExchangeStatus;

/**
 * Moves exchanges from state to state, as {@link ExchangeState} allows. Expiry follows from the
 * time alone; that it is stored only moves the exchange to the expired ones.
 */
final class ExchangeLifecycle {
  private final RelayLimits limits;

  ExchangeLifecycle(RelayLimits limits) {
    this.limits = limits;
  }

  /** Returns the state at a time, in Unix milliseconds. */
  static ExchangeState stateAt(ExchangeRecord exchange, long now) {
    ExchangeState stored = stateOf(exchange.getStatus());
    return stored == ExchangeState.PENDING_APPROVAL && now >= exchange.getExpiresAtMillis()
        ? ExchangeState.EXPIRED
        : stored;
  }

  /** Returns whether it can be decided at a time. */
  static boolean isPending(ExchangeRecord exchange, long now) {
    return stateAt(exchange, now) == ExchangeState.PENDING_APPROVAL;
  }

  /**
   * Returns an exchange in its next state, to be removed once its retention is over.
   *
   * @throws IllegalStateException if the state may not follow, which callers check
   */
  ExchangeRecord move(ExchangeRecord before, ExchangeStatus status, long now) {
    if (!stateOf(before.getStatus()).mayBecome(stateOf(status))) {
      throw new IllegalStateException(
          "an exchange goes from " + before.getStatus() + " to " + status);
    }
    return before.toBuilder()
        .setStatus(status)
        .setChangedAt(now)
        .setDueAt(now + limits.retention().toMillis())
        .build();
  }

  private static ExchangeState stateOf(ExchangeStatus status) {
    return switch (status) {
      case EXCHANGE_STATUS_PENDING_APPROVAL -> ExchangeState.PENDING_APPROVAL;
      case EXCHANGE_STATUS_DECIDED -> ExchangeState.DECIDED;
      case EXCHANGE_STATUS_DELIVERED -> ExchangeState.DELIVERED;
      case EXCHANGE_STATUS_EXPIRED -> ExchangeState.EXPIRED;
      case EXCHANGE_STATUS_WITHDRAWN -> ExchangeState.WITHDRAWN;
      case EXCHANGE_STATUS_CANCELLED -> ExchangeState.CANCELLED;
      default -> throw new IllegalStateException("an exchange without a status is stored");
    };
  }
}
