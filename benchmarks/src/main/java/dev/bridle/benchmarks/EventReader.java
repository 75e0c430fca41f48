package dev.bridle.benchmarks;

/** One live reader of a session's events, which keeps when each event of {@link Posts} came. */
interface EventReader {

  /** Waits until all that had happened before has been told. */
  void awaitLive();

  /** Begins to keep the arrivals of so many events. */
  void expect(int events);

  /** Waits until all events have come, and returns when each one did, by {@code nanoTime}. */
  long[] arrivals() throws InterruptedException;
}
