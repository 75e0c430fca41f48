package dev.bridle.benchmarks;

/** One live reader of a session's events, which keeps when each event of {@link Posts} came. */
interface EventReader {

  /** Waits until all earlier events have been received. */
  void awaitLive();

  /** Begins to keep the arrivals of so many events. */
  void expect(int events);

  /** Waits until all events have come, and returns when each one did, by {@code nanoTime}. */
  long[] arrivals() throws InterruptedException;
}
