package dev.bridle.core.integrations.harpsession;

import dev.bridle.session.v1.SessionState;
import java.util.Locale;
import java.util.Optional;

/** Why a session has ended, as HARP says it (HARP-SESSION, section 6). */
enum EndReason {
  /** Somebody has closed it. */
  USER_END,
  /** Nobody has used it for too long. */
  TIMEOUT,
  /** A quota or the operator has ended it. */
  POLICY_KILL;

  /**
   * Returns why a session of the core has ended; empty while it has not. An idle one has not: it
   * accepts messages and tasks.
   */
  static Optional<EndReason> of(SessionState state) {
    return switch (state) {
      case SESSION_STATE_CLOSED -> Optional.of(USER_END);
      case SESSION_STATE_FAILED -> Optional.of(POLICY_KILL);
      default -> Optional.empty();
    };
  }

  /** Returns the reason as it is on the wire. */
  String spelled() {
    return name().toLowerCase(Locale.ROOT);
  }
}
