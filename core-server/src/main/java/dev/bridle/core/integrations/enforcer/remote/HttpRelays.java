package dev.bridle.core.integrations.enforcer.remote;

import dev.bridle.core.integrations.enforcer.RelayLane;
import dev.bridle.core.integrations.enforcer.RelayLanes;
import dev.bridle.core.integrations.enforcer.RelayPort;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The relays of an operator, each with connections and threads of its own. Nothing of them is
 * opened before the first request for one of their devices.
 */
public final class HttpRelays implements AutoCloseable {
  private static final int THREADS = 8;
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration CONNECT_TIME = Duration.ofSeconds(5);
  private static final Duration CLOSE_TIME = Duration.ofSeconds(2);

  /** Long enough for a long poll. */
  private static final Duration TOTAL_TIME = HttpRelayPort.LONG_POLL.plusSeconds(10);

  /** An operator's URL may lead anywhere. */
  private static final List<AddressRange> ANYWHERE = ranges("0.0.0.0/0", "::/0");

  /** Without encryption, the name {@code localhost} may lead to this machine only. */
  private static final List<AddressRange> HERE = ranges("127.0.0.0/8", "::1");

  private final List<Opened> all = new ArrayList<>();
  private final RelayTargets targets;

  /** A relay and what its calls run on. */
  private record Opened(RelayLane lane, OutboundClient client, ThreadPoolExecutor threads) {}

  /** Creates the relays. */
  public HttpRelays(RelayTargets targets, Clock clock) {
    this.targets = targets;
    targets.all().forEach(target -> all.add(open(target, clock)));
  }

  private static List<AddressRange> ranges(String... texts) {
    return Stream.of(texts).map(AddressRange::parse).toList();
  }

  private static Opened open(RelayTarget target, Clock clock) {
    OutboundOptions options =
        OutboundOptions.DEFAULT
            .withAllowed(target.url().secure() ? ANYWHERE : HERE)
            .withTimeouts(CONNECT_TIME, TOTAL_TIME)
            .withMaxCalls(HttpRelayPort.MAX_LONG_POLLS + THREADS * THREADS);
    OutboundClient client =
        target
            .trust()
            .map(trust -> OutboundClient.trusting(options, trust))
            .orElseGet(() -> new OutboundClient(options));
    // Each open request has at most two pieces of work here, so their number bounds the queue.
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            work -> thread(target.name(), work));
    threads.allowCoreThreadTimeOut(true);
    return new Opened(
        new RelayLane(target.name(), new HttpRelayPort(target, client, clock), threads),
        client,
        threads);
  }

  private static Thread thread(String relay, Runnable work) {
    Thread thread = new Thread(work, "bridle-harp-" + relay);
    thread.setDaemon(true);
    return thread;
  }

  /** Returns these relays beside the server's own. */
  public RelayLanes beside(RelayPort own) {
    return new RelayLanes(own, all.stream().map(Opened::lane).toList(), targets.allowed());
  }

  /** Ends calls under way, and waits for what their failures change in the store. */
  @Override
  public void close() {
    all.forEach(one -> one.client().close());
    all.forEach(one -> one.threads().shutdown());
    try {
      for (Opened one : all) {
        var unused = one.threads().awaitTermination(CLOSE_TIME.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
