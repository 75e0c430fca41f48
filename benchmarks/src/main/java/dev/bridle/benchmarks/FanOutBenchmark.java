package dev.bridle.benchmarks;

import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What it costs to hand live events to many readers: events delivered a second, the delay from the
 * return of a commit to its delivery, and the heap of an idle subscriber. Measured where the log
 * fans out: at the core's channel within the process, which crosses no socket.
 *
 * <p>Usage: {@code FanOutBenchmark [seconds of each figure] [--cluster-file PATH]}.
 */
public final class FanOutBenchmark {
  private static final int IDLE = 1000;
  private static final int[][] SUBSCRIBERS_AND_RATES = {
    {1, 1000}, {100, 1000}, {1000, 100}, {1000, 1000}
  };

  private final Table table;
  private final int seconds;
  private final KeyValueStore store;
  private final Channel channel;

  private FanOutBenchmark(Table table, int seconds, KeyValueStore store, CoreServer core) {
    this.table = table;
    this.seconds = seconds;
    this.store = store;
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + core.firstKey().orElseThrow());
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
    measure(10, 1000, 2); // Warm-up: loads and compiles what the figures use.
    table.head("readers", "MB heap", "bytes each");
    idle();
    table.head("readers", "events/s in", "delivered/s", "p50 ms", "p99 ms");
    for (int[] figure : SUBSCRIBERS_AND_RATES) {
      double[] measured = measure(figure[0], figure[1], seconds);
      table.line("live events at " + figure[1] + "/s", figure[0], measured);
    }
  }

  private void idle() throws InterruptedException {
    String session = session();
    try (Context.CancellableContext context = Context.current().withCancellation()) {
      double before = usedHeap();
      List<Follower> followers = follow(context, session, IDLE);
      double grown = usedHeap() - before;
      table.line("idle subscribers", followers.size(), grown / 1e6, grown / IDLE);
    }
  }

  /** Returns what came in and went out a second, and the delays. */
  private double[] measure(int subscribers, int perSecond, int forSeconds)
      throws InterruptedException {
    String session = session();
    try (Context.CancellableContext context = Context.current().withCancellation()) {
      List<Follower> followers = follow(context, session, subscribers);
      Posts posts =
          new Posts(store, EventLog.open(store, KeyLayout.root()), session, perSecond * forSeconds);
      followers.forEach(follower -> follower.expect(posts.count()));
      long began = System.nanoTime();
      posts.run(perSecond);
      double inSeconds = (System.nanoTime() - began) / 1e9;
      float[] delays = new float[posts.count() * subscribers];
      int at = 0;
      long last = began;
      for (Follower follower : followers) {
        long[] arrivals = follower.arrivals();
        for (int i = 0; i < arrivals.length; i++) {
          delays[at++] = Math.max(0, arrivals[i] - posts.committedAt(i)) / 1e6f;
          last = Math.max(last, arrivals[i]);
        }
      }
      Arrays.sort(delays);
      return new double[] {
        posts.count() / inSeconds,
        delays.length * 1e9 / (last - began),
        delays[delays.length / 2],
        delays[(int) (delays.length * 0.99)]
      };
    }
  }

  private List<Follower> follow(Context context, String session, int subscribers) {
    List<Follower> followers = new ArrayList<>();
    context.run(
        () -> {
          for (int i = 0; i < subscribers; i++) {
            followers.add(Follower.of(EventServiceGrpc.newStub(channel), session));
          }
        });
    followers.forEach(Follower::awaitLive);
    return followers;
  }

  private String session() {
    return SessionServiceGrpc.newBlockingStub(channel)
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
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
