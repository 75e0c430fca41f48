package dev.bridle.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time and allocated bytes of this process from a point on. What threads allocate that
 * end before the reading is not counted.
 */
final class Spent {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private final long cpuNanos = SYSTEM.getProcessCpuTime();
  private final Map<Long, Long> allocated = allocatedByThread();

  /**
   * What one operation took.
   *
   * @param cpuMicros processor time, in microseconds
   * @param allocatedKib allocated memory, in KiB
   */
  record Each(double cpuMicros, double allocatedKib) {
    static final Each UNKNOWN = new Each(Double.NaN, Double.NaN);
  }

  /** Returns what each of so many operations took since this was made. */
  Each each(long operations) {
    long bytes = 0;
    for (var now : allocatedByThread().entrySet()) {
      bytes += now.getValue() - allocated.getOrDefault(now.getKey(), 0L);
    }
    return new Each(
        (SYSTEM.getProcessCpuTime() - cpuNanos) / 1e3 / operations, bytes / 1024.0 / operations);
  }

  private static Map<Long, Long> allocatedByThread() {
    long[] ids = THREADS.getAllThreadIds();
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Long> byThread = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      byThread.put(ids[i], bytes[i]);
    }
    return byThread;
  }
}
