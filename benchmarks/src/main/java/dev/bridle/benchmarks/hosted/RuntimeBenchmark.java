package dev.bridle.benchmarks.hosted;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Updates of hosted agents from their standard output to the frames of a subscriber over
 * server-sent events, through one runtime and through several of a server; and what a runtime costs
 * in memory. Beside the rate, right before and after it, the same updates through the peer of
 * JSON-RPC alone, in this process: what counts is the ratio. Agents are shell scripts: they flood
 * for the rate, and write four times a second the time for the delay.
 *
 * <p>Usage: {@code RuntimeBenchmark BRIDLE [seconds] [runtimes]}.
 */
public final class RuntimeBenchmark {
  private static final int CHARACTERS = 5;
  private static final double MIB = 1 << 20;

  private RuntimeBenchmark() {}

  /** Prints the figures. */
  public static void main(String[] args) throws Exception {
    int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 10;
    int runtimes = args.length > 2 ? Integer.parseInt(args[2]) : 20;
    Path directory = Files.createTempDirectory("bridle-runtimes");
    System.out.println("runtimes | what                         | figure");
    for (int count : new int[] {1, runtimes}) {
      double peer = peer(seconds);
      double updates;
      try (RuntimeHost host = new RuntimeHost(Path.of(args[0]), directory, count, "flood")) {
        double idle = host.residentBytes() / MIB;
        List<FrameReader> readers = begin(host, count);
        awaitFrames(readers);
        TimeUnit.SECONDS.sleep(seconds / 2);
        long before = characters(readers);
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double time = (System.nanoTime() - start) / 1e9;
        updates = (characters(readers) - before) / (double) CHARACTERS / time;
        line(count, "updates/s to SSE frames", updates);
        line(count, "MiB of the server, idle", idle);
        line(count, "MiB of the server, flooded", host.residentBytes() / MIB);
      }
      peer = (peer + peer(seconds)) / 2;
      line(count, "updates/s of the bare peer", peer);
      line(count, "updates / bare peer's", updates / peer);
      try (RuntimeHost host = new RuntimeHost(Path.of(args[0]), directory, count, "clock")) {
        double idle = host.residentBytes() / MIB;
        List<FrameReader> readers = begin(host, count);
        awaitFrames(readers);
        TimeUnit.SECONDS.sleep(seconds);
        long[] delays =
            readers.stream().flatMapToLong(reader -> Arrays.stream(reader.delays())).toArray();
        Arrays.sort(delays);
        line(count, "delay p50, ms", percentile(delays, 0.5) / 1e6);
        line(count, "delay p99, ms", percentile(delays, 0.99) / 1e6);
        line(count, "MiB of the server a runtime", (host.residentBytes() / MIB - idle) / count);
        line(count, "start of the last runtime, ms", (double) host.startMillis());
      }
    }
  }

  private static double peer(int seconds) throws Exception {
    try (BarePeer peer = new BarePeer(RuntimeHost.update())) {
      return peer.updatesPerSecond(seconds);
    }
  }

  private static List<FrameReader> begin(RuntimeHost host, int count) throws Exception {
    List<FrameReader> readers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      readers.add(host.begin());
    }
    return readers;
  }

  private static void awaitFrames(List<FrameReader> readers) throws InterruptedException {
    for (FrameReader reader : readers) {
      reader.awaitFirst();
    }
  }

  private static long characters(List<FrameReader> readers) {
    return readers.stream().mapToLong(FrameReader::characters).sum();
  }

  private static double percentile(long[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1) * share)];
  }

  private static void line(int runtimes, String what, double figure) {
    System.out.println(String.format(Locale.ROOT, "%8d | %-28s | %,.2f", runtimes, what, figure));
  }
}
