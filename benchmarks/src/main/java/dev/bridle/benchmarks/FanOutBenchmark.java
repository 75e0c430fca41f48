package dev.bridle.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * What it costs to hand live events to many readers: events delivered a second, the delay from the
 * return of a commit to its delivery, and the heap of an idle subscriber. Measured twice: where the
 * log fans out, at the core's channel within the process; and at sockets, where each reader is an
 * HTTP client with a connection of its own, in the same process and on the same processors.
 *
 * <p>Usage: {@code FanOutBenchmark [seconds of each figure] [--cluster-file PATH]}.
 */
public final class FanOutBenchmark {
  private static final int IDLE = 1000;
  private static final int[][] READERS_AND_RATES = {
    {1, 1000}, {100, 100}, {100, 1000}, {1000, 10}, {1000, 100}, {1000, 1000}
  };

  /** What clients on the same processors can still take. */
  private static final int MOST_AT_SOCKETS = 100_000;

  private final Table table;
  private final int seconds;
  private final KeyValueStore store;
  private final CoreServer core;
  private final String authorization;
  private final Channel channel;

  private FanOutBenchmark(Table table, int seconds, KeyValueStore store, CoreServer core) {
    this.table = table;
    this.seconds = seconds;
    this.store = store;
    this.core = core;
    this.authorization = "Bearer " + core.firstKey().orElseThrow();
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
    this.channel =
        ClientInterceptors.intercept(
            core.channel(), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Runs all figures and prints them as a table. */
  public static void main(String[] args) throws Exception {
    Target target = Target.of(args);
    int seconds = target.number(0, 5);
    Table table = new Table(System.out);
    table.title(target + ", " + seconds + " s of each figure after a warm-up");
    target.run(
        store -> {
          try (CoreServer core =
              CoreServer.start(store, CoreOptions.DEFAULT.withListener("127.0.0.1", 0))) {
            new FanOutBenchmark(table, seconds, store, core).run();
          }
        });
    System.exit(0);
  }

  private void run() throws Exception {
    run("at the log", Integer.MAX_VALUE, () -> ReaderPlace.channel(channel));
    run("at sockets", MOST_AT_SOCKETS, () -> ReaderPlace.sockets(core, authorization));
  }

  private void run(String where, int most, Supplier<ReaderPlace> places) throws Exception {
    measure(places, 10, 1000, 2); // Warm-up: loads and compiles what the figures use.
    table.head("readers", "MB heap", "bytes each");
    idle(where, places);
    table.head("readers", "delivered/s", "p50 ms", "p99 ms", "CPU us each");
    for (int[] figure : READERS_AND_RATES) {
      if (figure[0] * figure[1] <= most) {
        table.line(
            where + ", " + figure[1] + " events/s",
            figure[0],
            measure(places, figure[0], figure[1], seconds));
      }
    }
  }

  private void idle(String where, Supplier<ReaderPlace> places) throws InterruptedException {
    String session = session();
    try (ReaderPlace place = places.get()) {
      double before = usedHeap();
      List<EventReader> readers = place.open(session, IDLE);
      double grown = usedHeap() - before;
      table.line("idle " + where, readers.size(), grown / 1e6, grown / IDLE);
    }
  }

  /** Returns what went out a second, the delays, and processor time for each delivery. */
  private double[] measure(Supplier<ReaderPlace> places, int readers, int perSecond, int forSeconds)
      throws InterruptedException {
    String session = session();
    try (ReaderPlace place = places.get()) {
      List<EventReader> opened = place.open(session, readers);
      Posts posts =
          new Posts(store, EventLog.open(store, KeyLayout.root()), session, perSecond * forSeconds);
      opened.forEach(reader -> reader.expect(posts.count()));
      long usedBefore = processorNanos();
      long began = System.nanoTime();
      posts.run(perSecond);
      float[] delays = new float[posts.count() * readers];
      int at = 0;
      long last = began;
      for (EventReader reader : opened) {
        long[] arrivals = reader.arrivals();
        for (int i = 0; i < arrivals.length; i++) {
          delays[at++] = Math.max(0, arrivals[i] - posts.committedAt(i)) / 1e6f;
          last = Math.max(last, arrivals[i]);
        }
      }
      double used = processorNanos() - usedBefore;
      Arrays.sort(delays);
      return new double[] {
        delays.length * 1e9 / (last - began),
        delays[delays.length / 2],
        delays[(int) (delays.length * 0.99)],
        used / 1e3 / delays.length
      };
    }
  }

  private String session() {
    return SessionServiceGrpc.newBlockingStub(channel)
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
  }

  /** Returns the processor time of all threads of this process: readers, posts and server. */
  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long usedHeap() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(200);
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
