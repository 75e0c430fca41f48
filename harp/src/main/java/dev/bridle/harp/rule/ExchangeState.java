package dev.bridle.harp.rule;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where an exchange stands at a gateway. A decided outcome never changes. */
public enum ExchangeState {
  /** Approvers have it, and none has decided. */
  PENDING_APPROVAL("pendingApproval"),
  /** A decision has arrived. */
  DECIDED("decided"),
  /** The enforcer has the decision. */
  DELIVERED("delivered"),
  /** Nobody has decided in time. */
  EXPIRED("expired"),
  /** The enforcer has taken it back. */
  WITHDRAWN("withdrawn"),
  /** An operator has ended it. */
  CANCELLED("cancelled");

  private static final Map<ExchangeState, Set<ExchangeState>> NEXT =
      Map.of(
          PENDING_APPROVAL, Set.of(DECIDED, EXPIRED, WITHDRAWN, CANCELLED),
          DECIDED, Set.of(DELIVERED));

  private final String spelled;

  ExchangeState(String spelled) {
    this.spelled = spelled;
  }

  /** Returns the word of {@code exchange.status}. */
  public String spelled() {
    return spelled;
  }

  /** Returns whether the other state may follow. */
  public boolean mayBecome(ExchangeState other) {
    return NEXT.getOrDefault(this, Set.of()).contains(other);
  }

  /** Returns the state of a word of {@code exchange.status}. */
  public static Optional<ExchangeState> of(String spelled) {
    for (ExchangeState each : values()) {
      if (each.spelled.equals(spelled)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
