package dev.bridle.core.integrations.harpsession;

import java.time.Duration;

/** Limits of what a tenant may store of sessions. */
final class SessionLimits {
  /** The most sessions of a tenant that have events stored. */
  static final int MAX_SESSIONS = 1000;

  /** The most events of a session. */
  static final int MAX_EVENTS = 5000;

  /** The most bytes of a tenant. */
  static final long MAX_BYTES = 256L << 20;

  /** The most bytes of an end that is stored however much else is. */
  static final int MAX_END_BYTES = 64 << 10;

  /** By how much clocks of senders may be ahead. */
  static final Duration SKEW = Duration.ofSeconds(60);

  /** For how long after the end events that came late are accepted. */
  static final Duration LATE = Duration.ofMinutes(10);

  /** For how long a session is kept after its last event. */
  static final Duration RETENTION = Duration.ofDays(7);

  private SessionLimits() {}
}
