package dev.bridle.core.fault;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Time that passes when a test says so, as wall time and as monotonic time. */
final class SetTime extends Clock {
  private Instant now = Instant.parse("2026-11-21T10:00:00Z");

  void pass(Duration time) {
    now = now.plus(time);
  }

  long nanos() {
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
