package dev.bridle.worker;

import com.google.protobuf.Duration;
import java.util.concurrent.TimeUnit;

/** Converts protobuf durations to nanoseconds. */
final class LeaseTimes {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private LeaseTimes() {}

  static long nanos(Duration span) {
    return span.getSeconds() * SECOND + span.getNanos();
  }

  static Duration span(long nanos) {
    return Duration.newBuilder()
        .setSeconds(nanos / SECOND)
        .setNanos((int) (nanos % SECOND))
        .build();
  }
}
