package dev.bridle.core.integrations.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that several processes read, and that only its test moves. */
public final class SetClock extends Clock {
  private final AtomicReference<Instant> now;

  public SetClock(String begin) {
    this.now = new AtomicReference<>(Instant.parse(begin));
  }

  public void set(String time) {
    set(Instant.parse(time));
  }

  /** Lets time pass. */
  public void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  public void set(Instant time) {
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
