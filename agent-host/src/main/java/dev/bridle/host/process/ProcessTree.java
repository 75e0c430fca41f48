package dev.bridle.host.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A process and everything that it has started: its descendants, those that were when it was looked
 * at before, and those with its marker. Thread-safe.
 */
final class ProcessTree {
  private final ProcessHandle root;
  private final HostMark mark;
  private final Set<ProcessHandle> seen = new HashSet<>();

  ProcessTree(ProcessHandle root, HostMark mark) {
    this.root = root;
    this.mark = mark;
  }

  /** Looks, remembers what it saw, and returns what of all it ever saw lives. */
  synchronized Set<ProcessHandle> alive() {
    seen.add(root);
    if (seen.size() == 1) {
      root.descendants().forEach(seen::add);
    } else {
      addChildren();
    }
    seen.removeIf(process -> !lives(process));
    return Set.copyOf(seen);
  }

  /** One look at all processes, instead of one for each that was seen. */
  private void addChildren() {
    Map<Optional<ProcessHandle>, List<ProcessHandle>> children =
        ProcessHandle.allProcesses().collect(Collectors.groupingBy(ProcessHandle::parent));
    Deque<ProcessHandle> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (ProcessHandle child : children.getOrDefault(Optional.of(open.remove()), List.of())) {
        if (seen.add(child)) {
          open.add(child);
        }
      }
    }
  }

  /** What has ended and was not waited for still has a number, which no signal frees. */
  private static boolean lives(ProcessHandle process) {
    return process.isAlive()
        && ProcFile.of(process, "status")
            .noneMatch(line -> line.startsWith("State:") && line.contains("Z (zombie)"));
  }

  /** How many bytes of memory its processes have resident; shared pages count for each. */
  long residentBytes() {
    return alive().stream().mapToLong(ProcessTree::residentBytes).sum();
  }

  private static long residentBytes(ProcessHandle process) {
    return ProcFile.of(process, "status")
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
        .sum();
  }

  /** Kills all, those with the marker too, until none is left or the time is over. */
  int kill(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    Set<ProcessHandle> left = findAll();
    while (!left.isEmpty()) {
      left.forEach(ProcessHandle::destroyForcibly);
      if (System.nanoTime() - end > 0) {
        return left.size();
      }
      TimeUnit.MILLISECONDS.sleep(5);
      left = findAll();
    }
    return 0;
  }

  private synchronized Set<ProcessHandle> findAll() {
    seen.addAll(MarkedProcesses.find(mark::equals));
    return alive();
  }
}
