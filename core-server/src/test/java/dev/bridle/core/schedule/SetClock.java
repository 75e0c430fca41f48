package dev.bridle.core.schedule;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that several processes read, and that only its test moves. */
final class SetClock extends Clock {
  private final AtomicReference<Instant> now;

  SetClock(String begin) {
    this.now = new AtomicReference<>(Instant.parse(begin));
  }

  void set(String time) {
    set(Instant.parse(time));
  }

  void set(Instant time) {
    now.set(time);
  }

  @Override
  public Instant instant() {
    return now.get();
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
