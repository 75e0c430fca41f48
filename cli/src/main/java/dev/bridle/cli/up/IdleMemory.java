package dev.bridle.cli.up;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the heap's free memory back to the system once a server is idle. Java's serial collector,
 * which takes the least memory of all, changes the heap's size only when it collects; so a heap
 * that one burst of work made large would stay large for days.
 */
final class IdleMemory {
  private static final Logger log = LoggerFactory.getLogger(IdleMemory.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(15);

  /** The collector takes none of what is free in the first collection, and all in the fourth. */
  private static final int COLLECTIONS = 4;

  private static final Flag LEAST_FREE = new Flag("MinHeapFreeRatio", "5");
  private static final Flag MOST_FREE = new Flag("MaxHeapFreeRatio", "5");

  /**
   * A setting of Java that may be changed while it runs.
   *
   * @param whileShrinking its value for collections that give back what is free
   */
  private record Flag(String name, String whileShrinking) {}

  private final Thread thread;

  private IdleMemory(Runnable watch) {
    thread = new Thread(watch, "bridle-idle-memory");
    thread.setDaemon(true);
  }

  /** Gives memory back each time this process becomes idle, until it is closed. */
  static IdleMemory watch() {
    HotSpotDiagnosticMXBean java =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    // Another Java than OpenJDK's has none of these, and a collector with its own ways.
    IdleMemory memory =
        new IdleMemory(java == null || system == null ? () -> {} : () -> watch(java, system));
    memory.thread.start();
    return memory;
  }

  /** Looks no more. */
  void close() {
    thread.interrupt();
  }

  private static void watch(HotSpotDiagnosticMXBean java, OperatingSystemMXBean system) {
    Idleness idleness = new Idleness(processorTime(system), clock());
    try {
      while (true) {
        TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
        if (idleness.begins(processorTime(system), clock())) {
          giveBack(java);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalArgumentException e) {
      log.debug("This Java has no such settings; its heap stays as large as it gets", e);
    }
  }

  /** Collects until the heap is hardly larger than what is in it. */
  static synchronized void giveBack(HotSpotDiagnosticMXBean java) {
    // In this order, since the least may never be above the most.
    List<String> before = List.of(value(java, LEAST_FREE), value(java, MOST_FREE));
    java.setVMOption(LEAST_FREE.name(), LEAST_FREE.whileShrinking());
    java.setVMOption(MOST_FREE.name(), MOST_FREE.whileShrinking());
    try {
      for (int i = 0; i < COLLECTIONS; i++) {
        System.gc();
      }
    } finally {
      java.setVMOption(MOST_FREE.name(), before.get(1));
      java.setVMOption(LEAST_FREE.name(), before.get(0));
    }
  }

  private static String value(HotSpotDiagnosticMXBean java, Flag flag) {
    return java.getVMOption(flag.name()).getValue();
  }

  private static Duration processorTime(OperatingSystemMXBean system) {
    return Duration.ofNanos(system.getProcessCpuTime());
  }

  private static Duration clock() {
    return Duration.ofNanos(System.nanoTime());
  }
}
