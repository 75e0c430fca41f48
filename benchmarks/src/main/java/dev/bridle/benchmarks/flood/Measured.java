package dev.bridle.benchmarks.flood;

/** What a user's requests took, lately and before. Safe for many threads. */
final class Measured {
  private Latencies all = new Latencies();
  private Latencies recent = new Latencies();

  /** Returns where requests that end now belong. */
  synchronized Latencies now() {
    return recent;
  }

  /** Returns what was measured since the last time this was asked. */
  synchronized Latencies recent() {
    Latencies taken = recent;
    all.add(taken);
    recent = new Latencies();
    return taken;
  }

  /** Returns what was measured up to the last {@link #recent()}, and forgets it. */
  synchronized Latencies all() {
    Latencies taken = all;
    all = new Latencies();
    return taken;
  }
}
