package dev.bridle.benchmarks.flood;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How long requests took, and which ones failed. Safe for many threads. */
final class Latencies {
  private static final double LATE_MILLIS = 1000;

  private final List<Double> millis = new ArrayList<>();
  private final Map<String, Integer> failures = new TreeMap<>();

  /** Takes a request that was answered as it should. */
  synchronized void answered(double tookMillis) {
    millis.add(tookMillis);
  }

  /** Takes one that was not. */
  synchronized void failed(String how) {
    failures.merge(how, 1, Integer::sum);
  }

  /** Takes all of another one. */
  synchronized void add(Latencies other) {
    synchronized (other) {
      millis.addAll(other.millis);
      other.failures.forEach((how, count) -> failures.merge(how, count, Integer::sum));
    }
  }

  /** Whether all requests were answered as they should, within a second. */
  synchronized boolean areGood() {
    return late() == 0 && failures.isEmpty() && !millis.isEmpty();
  }

  @Override
  public synchronized String toString() {
    List<Double> sorted = millis.stream().sorted().toList();
    return String.format(
        Locale.ROOT,
        "%d answered, p50 %.1f ms, p99 %.1f ms, max %.1f ms, %d above 1 s, others %s",
        sorted.size(),
        at(sorted, 0.5),
        at(sorted, 0.99),
        at(sorted, 1),
        late(),
        failures);
  }

  private long late() {
    return millis.stream().filter(took -> took > LATE_MILLIS).count();
  }

  private static double at(List<Double> sorted, double part) {
    return sorted.isEmpty()
        ? Double.NaN
        : sorted.get(Math.min(sorted.size() - 1, (int) (sorted.size() * part)));
  }
}
