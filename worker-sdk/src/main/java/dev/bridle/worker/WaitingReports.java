package dev.bridle.worker;

import dev.bridle.worker.v1.StepReport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reports of a replay that wait to be compared, in as few calls as hold them. Not thread-safe. */
final class WaitingReports {
  private static final int AT_ONCE = 100;
  private static final int BYTES_AT_ONCE = 1 << 20;

  private final List<StepReport> reports = new ArrayList<>();
  private long bytes;

  /** Adds a report, and returns whether they fill a call. */
  boolean add(StepReport report) {
    reports.add(report);
    bytes += report.getSerializedSize();
    return reports.size() >= AT_ONCE || bytes >= BYTES_AT_ONCE;
  }

  /** Passes all on, in their order, as many as fit into a call at a time. */
  void drain(Consumer<List<StepReport>> call) {
    while (!reports.isEmpty()) {
      int count = 1;
      long size = reports.get(0).getSerializedSize();
      while (count < Math.min(AT_ONCE, reports.size())
          && size + reports.get(count).getSerializedSize() <= BYTES_AT_ONCE) {
        size += reports.get(count++).getSerializedSize();
      }
      call.accept(List.copyOf(reports.subList(0, count)));
      reports.subList(0, count).clear();
    }
    bytes = 0;
  }
}
